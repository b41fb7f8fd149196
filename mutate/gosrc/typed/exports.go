package typed

import (
	"context"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"sync"
)

// exports imports packages from outside the tree from the export data that the
// go command builds or finds in its cache.
type exports struct {
	tool goTool
	dir  string

	mu    sync.Mutex        // the importer is not safe for concurrent use
	files map[string]string // import path -> export file; "" when there is none
	gc    types.Importer
}

func newExports(tool goTool, dir string, fset *token.FileSet) *exports {
	e := &exports{tool: tool, dir: dir, files: map[string]string{}}
	e.gc = importer.ForCompiler(fset, "gc", e.open)
	return e
}

var errNotFound = errors.New("no package of this name is found by the go command here")

func (e *exports) open(path string) (io.ReadCloser, error) {
	file := e.files[path]
	if file == "" {
		return nil, errNotFound
	}
	return os.Open(file)
}

// fetch learns the export files of the given packages in one run.
func (e *exports) fetch(ctx context.Context, paths []string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.locked(ctx, paths)
}

func (e *exports) locked(ctx context.Context, paths []string) error {
	var missing []string
	for _, p := range paths {
		if _, known := e.files[p]; !known {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	all, err := e.tool.list(ctx, e.dir, append([]string{"-export", "--"}, missing...)...)
	if err != nil {
		return err
	}
	for _, p := range missing {
		e.files[p] = ""
	}
	for _, p := range all {
		e.files[p.ImportPath] = p.Export
	}
	return nil
}

// load returns the package of an import path, asking the go command for one it
// has not met. known is false when there is no such package or it does not
// compile; err is then why. fatal is trouble of the go command itself.
func (e *exports) load(ctx context.Context, path string) (pkg *types.Package, err, fatal error) {
	if path == "unsafe" {
		return types.Unsafe, nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if fatal := e.locked(ctx, []string{path}); fatal != nil {
		return nil, nil, fatal
	}
	if e.files[path] == "" {
		return nil, errNotFound, nil
	}
	pkg, err = e.gc.Import(path)
	if err != nil {
		err = fmt.Errorf("read the export data of %s: %w", path, err)
	}
	return pkg, err, nil
}
