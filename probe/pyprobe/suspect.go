package pyprobe

import (
	"io/fs"
	"os"
	"path/filepath"

	"assay/probe"
)

// words are how Python sources speak of deadlines that interrupt.
var words = [...]string{"setitimer", ".alarm(", "import alarm", "mark.timeout", "interrupt_main", "SetAsyncExc"}

// Suspects looks through the Python sources of a tree.
func (prober) Suspects(dir string) (bool, error) {
	skip := func(path string) bool { return filepath.Base(path) == "node_modules" || isEnvironment(path) }
	return probe.Mentioned(dir, words[:], skip, func(path string, d fs.DirEntry) bool { return d.Type().IsRegular() && filepath.Ext(path) == ".py" })
}

// isEnvironment reports whether a directory is a virtual environment.
func isEnvironment(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}
