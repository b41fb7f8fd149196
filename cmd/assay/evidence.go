package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"assay/report"
)

// checkEvidence refuses a directory that evidence cannot be written to, before
// any work is done. One that holds anything but evidence is left alone.
func checkEvidence(dir string) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return mistakef("cannot write evidence: %w", err)
	case len(entries) == 0:
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, report.EvidenceReport)); err != nil {
		return mistakef("--evidence %s: the directory holds other things than evidence of assay; name an empty or a new one", dir)
	}
	return nil
}

// reportName is what replay lines call the saved report.
func (f *proveFlags) reportName() string {
	if f.out == "" {
		return f.evidence
	}
	return f.out
}

// reportIn is the report that a file or a directory of evidence holds.
func reportIn(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return filepath.Join(name, report.EvidenceReport)
	}
	return name
}
