package goprobe

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed agent/*.go
var agentSources embed.FS

// makeOverlay rewrites the sources of the main modules and writes the overlay
// that go build takes. Files that skip names stay as they are.
func (w *work) makeOverlay(skip map[string]bool) error {
	replace := map[string]string{}
	dir := filepath.Join(w.root, "overlay")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the overlay of a probe: %w", err)
	}
	for _, p := range w.packages {
		if err := w.rewritePackage(p, dir, skip, replace); err != nil {
			return err
		}
	}
	w.replaced = maps.Clone(replace)
	if err := w.addAgent(dir, replace); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	w.overlay = filepath.Join(w.root, "overlay.json")
	return os.WriteFile(w.overlay, text, 0o644)
}

func (w *work) rewritePackage(p pkg, dir string, skip map[string]bool, replace map[string]string) error {
	texts, lazy := map[string][]byte{}, map[string]bool{}
	files := append(slices.Clone(p.GoFiles), p.testFiles()...)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return fmt.Errorf("read a source to probe it: %w", err)
		}
		texts[name] = text
		for _, v := range variables(name, text) {
			lazy[v] = true
		}
	}
	for _, name := range files {
		full := filepath.Join(p.Dir, name)
		if skip[full] {
			continue
		}
		r := &rewriter{rel: relative(w.place.Dir, full), pkg: p.ImportPath, lazy: lazy, plant: map[string]bool{}}
		for _, plant := range w.plants {
			r.plant[plant.Name] = true
		}
		text, err := r.rewrite(texts[name], agentPath(p))
		if err != nil || text == nil {
			continue // nothing to watch, or the build says what is wrong with it
		}
		to := filepath.Join(dir, strings.NewReplacer("/", "_", string(filepath.Separator), "_", ":", "_").Replace(full))
		if err := writeChanged(to, text); err != nil {
			return err
		}
		replace[full] = to
	}
	return nil
}

// agentPath is where the agent is imported from: inside the package's own
// module, so that no module has to require it.
func agentPath(p pkg) string { return p.Module.Path + "/" + agentName }

func (w *work) addAgent(dir string, replace map[string]string) error {
	entries, err := agentSources.ReadDir("agent")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := agentSources.ReadFile("agent/" + e.Name())
		if err != nil {
			return err
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		to := filepath.Join(dir, agentName+"-"+e.Name())
		if err := writeChanged(to, text); err != nil {
			return err
		}
		for _, p := range w.packages {
			replace[filepath.Join(p.Module.Dir, agentName, e.Name())] = to
		}
	}
	return nil
}

// writeChanged leaves a file alone that holds the text already.
func writeChanged(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
		return nil
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("write the overlay of a probe: %w", err)
	}
	return nil
}
