package schema

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// RuntimePath is the import path, and the name, of the package that the guards
// call. The overlay puts it in GOROOT, so that every module may import it.
const RuntimePath = "zzassay"

// The variables that the runtime reads when a process starts.
const (
	ActiveVar = "ASSAY_VARIANT" // number of the variant in force; 0 for head
	StepsVar  = "ASSAY_STEPS"   // how many guards and rounds of loops a process may come by
	RecordVar = "ASSAY_RECORD"  // where to record what tests come by; see ReadRecord
)

// StepsCode is the exit code of a process that used up its steps. It says
// StepsWords on standard error before it ends.
const (
	StepsCode  = 99
	StepsWords = "assay: the step limit passed"
)

// Stray is what the file is called, behind the name of the executable, that says
// that a process did not know its variant.
const Stray = ".stray"

//go:embed runtime/zzassay.go.txt
var runtimeText string

// Runtime writes the overlay entries that the program needs beside its own
// files: the runtime and, when the toolchain's testing package is one that it
// knows how to follow, a testing package that tells the runtime which test
// runs. follows is false when it does not. A process of the program that
// starts without the variables makes a file beside its executable, with Stray
// behind its name, since it cannot know which variant is in force.
func Runtime(goroot string) (files map[string][]byte, follows bool, err error) {
	at := filepath.Join(goroot, "src", RuntimePath, "zzassay.go")
	if _, err := os.Stat(filepath.Dir(at)); err == nil {
		return nil, false, fmt.Errorf("add a package to the standard library: %s is taken", filepath.Dir(at))
	}
	files = map[string][]byte{at: []byte(runtimeText)}
	followed := map[string][]byte{}
	for _, p := range patches() {
		name := filepath.Join(goroot, "src", "testing", p.file)
		text, err := os.ReadFile(name)
		if err != nil {
			return files, false, nil //nolint:nilerr // another layout of testing: not one to follow
		}
		patched, err := p.apply(string(text))
		if err != nil {
			return files, false, nil //nolint:nilerr // as above
		}
		followed[name] = []byte(patched)
	}
	for name, text := range followed {
		files[name] = text
	}
	return files, true, nil
}

// A patch is what one file of testing is made to say. Each old text must occur
// exactly once: a testing package that was rewritten is not followed.
type patch struct {
	file    string
	changes [][2]string
}

func patches() []patch {
	return []patch{
		{"testing.go", [][2]string{
			{"\npackage testing\n", "\npackage testing;import " + RuntimePath + " \"" + RuntimePath + "\"\n"},
			{"\n\tfn(t)\n", "\n\t" + RuntimePath + ".Enter(t.name);fn(t)\n"},
			{"\n\tif t.chatty != nil {\n\t\tt.chatty.Updatef(t.name, \"=== CONT ", "\n\t" + RuntimePath + ".Enter(t.name);if t.chatty != nil {\n\t\tt.chatty.Updatef(t.name, \"=== CONT "},
			{"\t\t\tt.signal <- signal\n", "\t\t\tif t.level == 1 {" + RuntimePath + ".Leave(t.name)};t.signal <- signal\n"},
		}},
		{"fuzz.go", [][2]string{
			{"\npackage testing\n", "\npackage testing;import " + RuntimePath + " \"" + RuntimePath + "\"\n"},
			{"\n\tfn(f)\n", "\n\t" + RuntimePath + ".Enter(f.name);fn(f)\n"},
			{"\t\t\t\tf.signal <- true\n", "\t\t\t\t" + RuntimePath + ".Leave(f.name);f.signal <- true\n"},
		}},
		{"run_example.go", [][2]string{
			{"\npackage testing\n", "\npackage testing;import " + RuntimePath + " \"" + RuntimePath + "\"\n"},
			{"func runExample(eg InternalExample) (ok bool) {\n", "func runExample(eg InternalExample) (ok bool) {" + RuntimePath + ".Enter(eg.Name);defer " + RuntimePath + ".Leave(eg.Name)\n"},
		}},
	}
}

func (p patch) apply(text string) (string, error) {
	for _, c := range p.changes {
		if strings.Count(text, c[0]) != 1 {
			return "", errors.New("testing/" + p.file + " is not as it is known")
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	return text, nil
}
