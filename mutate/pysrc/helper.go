package pysrc

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
)

//go:embed helper/*.py helper/operators/*.py
var helperFiles embed.FS

// boot reads the modules of the helper from the first line of input, so that
// nothing has to be written to disk, and serves the lines that follow.
const boot = `
import importlib.abc, importlib.util, json, sys
sources = json.loads(sys.stdin.readline())
class Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        package = name + ".__init__" in sources
        return importlib.util.spec_from_loader(name, self, is_package=package) if package or name in sources else None
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__ if module.__name__ in sources else module.__name__ + ".__init__"
        exec(compile(sources[name], "assay/" + name.replace(".", "/") + ".py", "exec"), module.__dict__)
sys.meta_path.insert(0, Loader())
import serve
serve.serve(sys.stdin, sys.stdout)
`

// A helper is one running Python process that answers requests.
type helper struct {
	python string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

// start runs the helper isolated from the project and its environment: no
// PYTHON* variables, no site packages, no bytecode written. It outlives ctx.
func start(ctx context.Context, python string) (*helper, error) {
	h := &helper{python: python, stderr: &bytes.Buffer{}}
	h.cmd = exec.CommandContext(context.WithoutCancel(ctx), python, "-I", "-S", "-B", "-X", "utf8", "-c", boot)
	h.cmd.Stderr = h.stderr
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		return nil, h.failure(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		return nil, h.failure(err)
	}
	h.out = bufio.NewReaderSize(out, 1<<16)
	if err := h.cmd.Start(); err != nil {
		return nil, h.failure(err)
	}
	sources, err := modules()
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(h.in).Encode(sources); err != nil {
		return nil, h.died(err)
	}
	return h, nil
}

// modules maps the name of each helper module to its source.
func modules() (map[string]string, error) {
	out := map[string]string{}
	err := fs.WalkDir(helperFiles, "helper", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := helperFiles.ReadFile(name)
		out[strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(name, "helper/"), ".py"), "/", ".")] = string(src)
		return err
	})
	return out, err
}

// ask sends one request and reads its answer. An error means that the helper
// is gone.
func (h *helper) ask(r any, answer any) error {
	if err := json.NewEncoder(h.in).Encode(r); err != nil {
		return h.died(err)
	}
	line, err := h.out.ReadBytes('\n')
	if err != nil {
		return h.died(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return h.failure(fmt.Errorf("unexpected answer to %T: %w", r, err))
	}
	return nil
}

// end ends the helper, if there is one, and waits for it.
func (h *helper) end() error {
	if h == nil || h.cmd.ProcessState != nil {
		return nil
	}
	_ = h.in.Close() // a helper that is gone already has closed it
	if err := h.cmd.Wait(); err != nil {
		return h.failure(err)
	}
	return nil
}

// kill makes whatever waits for an answer fail.
func (h *helper) kill() { _ = h.cmd.Process.Kill() } // it may be gone already

// died waits for the helper to end, so that what it said last is there.
func (h *helper) died(err error) error {
	_ = h.in.Close()
	_, _ = io.Copy(io.Discard, h.out)
	if ended := h.cmd.Wait(); ended != nil {
		err = ended
	}
	return h.failure(err)
}

func (h *helper) failure(err error) error {
	lines := strings.Split(strings.TrimSpace(h.stderr.String()), "\n")
	said := slices.DeleteFunc(lines[max(0, len(lines)-4):], func(l string) bool { return l == "" })
	if len(said) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(said, " | "))
	}
	return fmt.Errorf("the helper run by %s failed: %w; check that this is Python 3.8 or later, or choose another interpreter", h.python, err)
}
