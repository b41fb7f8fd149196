package pytest

import (
	"embed"
	"os"
	"path/filepath"
)

//go:embed plugin/*.py
var sources embed.FS

// A plugin is where the embedded Python files were written.
type plugin struct {
	path  string // what goes on PYTHONPATH; holds the package assay_pytest
	empty string // an empty pytest.ini, for trees without a configuration
	codes string // where compiled code is kept
}

// unpack writes the plugin into a directory of its own below scratch.
func unpack(scratch string) (plugin, error) {
	root, err := os.MkdirTemp(scratch, "pytest-plugin-")
	if err != nil {
		return plugin{}, err
	}
	p := plugin{path: filepath.Join(root, "path"), empty: filepath.Join(root, "pytest.ini"), codes: filepath.Join(root, "codes")}
	if err := os.Mkdir(p.codes, 0o755); err != nil {
		return plugin{}, err
	}
	if err := os.WriteFile(p.empty, []byte("[pytest]\n"), 0o644); err != nil {
		return plugin{}, err
	}
	return p, writeSources(filepath.Join(p.path, "assay_pytest"))
}

func writeSources(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := sources.ReadDir("plugin")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := sources.ReadFile("plugin/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
