package main

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/worktree"
)

// completeTests offers what assay probe takes: test files and then the tests in
// one for Python, import/path.TestName for Go. It reads texts and starts no
// runner, so tests that are made by a program are not among them.
func completeTests(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	if file, _, inFile := strings.Cut(word, "::"); inFile {
		return starting(pythonTests(file), word), no
	}
	files, err := testFiles(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault // a shell has no place for an error
	}
	var all []string
	for _, f := range files {
		if strings.HasSuffix(f, ".py") {
			all = append(all, f)
		} else {
			all = append(all, goTests(f)...)
		}
	}
	return starting(all, word), no
}

func starting(all []string, word string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return !strings.HasPrefix(s, word) })
}

// testFiles are the tracked test files at or below the working directory, as
// they are seen from there.
func testFiles(ctx context.Context) ([]string, error) {
	repo, err := worktree.Open(ctx, "")
	if err != nil {
		return nil, err
	}
	return gitWords(ctx, repo, ".", "ls-files", "-z", "--", "*_test.go", "*_test.py", "test_*.py", "**/test_*.py")
}

var (
	pythonTest = regexp.MustCompile(`(?m)^([ \t]*)(?:async )?(def|class) (\w+)`)
	goTestFunc = regexp.MustCompile(`(?m)^func (Test\w*)\(`)
	goModule   = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)
)

// pythonTests are the node ids of a file's functions, classes and methods.
func pythonTests(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var all []string
	class, indent := "", ""
	for _, m := range pythonTest.FindAllStringSubmatch(string(text), -1) {
		id := file + "::"
		switch {
		case m[1] != "":
			if indent == "" {
				indent = m[1]
			}
			if class == "" || m[1] != indent || m[2] == "class" {
				continue // inside something that is no class of tests
			}
			id += class + "::"
		case m[2] == "class":
			class, indent = m[3], ""
		default:
			class = ""
		}
		if strings.HasPrefix(strings.ToLower(m[3]), "test") {
			all = append(all, id+m[3])
		}
	}
	return all
}

// goTests are the tests of a file by the path that its package is imported by;
// none where no module is around it.
func goTests(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	pkg := importPath(filepath.Dir(file))
	if pkg == "" {
		return nil
	}
	var all []string
	for _, m := range goTestFunc.FindAllStringSubmatch(string(text), -1) {
		if m[1] != "TestMain" {
			all = append(all, pkg+"."+m[1])
		}
	}
	return all
}

// importPath is the path of the package in a directory, by the nearest go.mod
// above it.
func importPath(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	below := ""
	for {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if m := goModule.FindSubmatch(text); err == nil && m != nil {
			return path.Join(string(m[1]), below)
		}
		up := filepath.Dir(at)
		if up == at {
			return ""
		}
		below = path.Join(filepath.Base(at), below)
		at = up
	}
}
