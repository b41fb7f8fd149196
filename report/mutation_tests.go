package report

import (
	"slices"
	"strings"

	"assay/harness"
	"assay/prove"
)

type (
	elementTests struct {
		Tests []elementTest `json:"tests"`
	}
	elementTest struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
)

// killersOf are the tests that killed a mutant, by file or package, so that a
// viewer can name them. The report does not hold what each of the others covers:
// to list them would say that they cover nothing.
func killersOf(r *prove.MutationReport) map[string]elementTests {
	var ids []harness.TestID
	for i := range r.Mutants {
		ids = append(ids, r.Mutants[i].Killers...)
	}
	slices.Sort(ids)
	files := map[string]elementTests{}
	for _, id := range slices.Compact(ids) {
		file, name := testPlace(string(id))
		files[file] = elementTests{append(files[file].Tests, elementTest{string(id), name})}
	}
	return files
}

// testPlace is the file or package of a test, and its name there.
func testPlace(id string) (file, name string) {
	if file, name, ok := strings.Cut(id, "::"); ok {
		return file, name
	}
	if m := goTest.FindStringSubmatch(id); m != nil {
		return m[1], m[2]
	}
	return "tests", id
}
