package pyprobe

import (
	"embed"
	"os"
	"path/filepath"
)

//go:embed plugin/*.py
var sources embed.FS

// module is the name under which Python imports the plugin.
const module = "assay_probe"

// unpack writes the plugin below dir and returns what goes on PYTHONPATH.
func unpack(dir string) (string, error) {
	path := filepath.Join(dir, "path")
	if err := os.MkdirAll(filepath.Join(path, module), 0o755); err != nil {
		return "", err
	}
	entries, err := sources.ReadDir("plugin")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		text, err := sources.ReadFile("plugin/" + e.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(path, module, e.Name()), text, 0o644); err != nil {
			return "", err
		}
	}
	return path, nil
}
