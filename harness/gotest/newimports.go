package gotest

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"assay/change"
)

// quotedLine matches a line that may be an import: most edits have none, and
// need not be parsed.
var quotedLine = regexp.MustCompile(`(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?("[\w./~-]+")\s*$|;\s*import\b`)

// newImports returns what variants of packages in dirs import. Text that only
// looks like an import is none: it is the import declarations that count.
func (w *warming) newImports(dirs []string) ([]string, error) {
	found := map[string]bool{}
	for k, edits := range w.variants {
		if _, left := w.left[k]; left {
			continue // it may hold what is no splice of a file of head
		}
		for _, e := range edits {
			if !slices.Contains(dirs, path.Dir(e.Path)) || !quotedLine.Match(e.Text) {
				continue
			}
			if err := w.importsOf(e.Path, edits, found); err != nil {
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// importsOf adds what a file imports with edits in force. Edits that do not
// apply, and text that does not parse, import nothing: the build says so.
func (w *warming) importsOf(name string, edits []change.Edit, found map[string]bool) error {
	text, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("read a file that a variant edits: %w", err)
	}
	mine := slices.DeleteFunc(slices.Clone(edits), func(e change.Edit) bool { return e.Path != name })
	edited, err := change.Apply(text, mine)
	if err != nil {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, edited, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if at, err := strconv.Unquote(spec.Path.Value); err == nil && at != "C" {
			found[at] = true
		}
	}
	return nil
}
