package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench/beside"
)

// A project is a source distribution that carries its tests.
type project struct {
	name, version string
	source        string   // the directory of its packages
	packages      []string // in it
	tests         string
	files         []string // what the three tools are measured on; none: only agreement
}

// projects lists what can be measured.
func projects() []project {
	return []project{
		{"itsdangerous", "2.2.0", "src", []string{"itsdangerous"}, "tests", []string{"src/itsdangerous/encoding.py", "src/itsdangerous/url_safe.py", "src/itsdangerous/signer.py"}},
		{"sqlparse", "0.5.3", ".", []string{"sqlparse"}, "tests", []string{"sqlparse/utils.py", "sqlparse/engine/statement_splitter.py"}},
		{"tomlkit", "0.13.2", ".", []string{"tomlkit"}, "tests", []string{"tomlkit/source.py"}},
		{"cachetools", "5.5.0", "src", []string{"cachetools"}, "tests", nil},
		{"xmltodict", "0.14.2", ".", []string{"xmltodict.py"}, "tests", nil},
		{"inflection", "0.5.1", ".", []string{"inflection"}, "test_inflection.py", nil},
	}
}

// pick returns the projects of the names, or all that serve.
func pick(names string, agree bool) ([]project, error) {
	var picked []project
	for _, p := range projects() {
		named := slices.Contains(strings.Split(names, ","), p.name)
		if named || names == "" && (agree || p.files != nil) {
			picked = append(picked, p)
		}
	}
	if len(picked) == 0 {
		return nil, fmt.Errorf("-projects %s: none is known", names)
	}
	return picked, nil
}

// fetch brings a project from PyPI and makes a repository of it below -work.
func (b bench) fetch(ctx context.Context, p project) (string, error) {
	sums := filepath.Join(b.work, "downloads")
	if err := os.MkdirAll(sums, 0o755); err != nil {
		return "", err
	}
	archive, err := b.archive(ctx, p, sums)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(b.work, p.name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	for _, argv := range [][]string{
		{"tar", "-xzf", archive, "--strip-components=1", "-C", dir},
		{"git", "init", "--quiet"}, {"git", "add", "--all", "--force"},
		{"git", "-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", p.name + " " + p.version},
	} {
		if _, err := beside.Must(ctx, dir, argv...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// archive is the downloaded source distribution; pip is asked once.
func (b bench) archive(ctx context.Context, p project, dir string) (string, error) {
	pattern := filepath.Join(dir, p.name+"-"+p.version+".tar.gz")
	if _, err := os.Stat(pattern); err == nil {
		return pattern, nil
	}
	_, err := beside.Must(ctx, dir, b.python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:",
		"--dest", dir, p.name+"=="+p.version)
	return pattern, err
}
