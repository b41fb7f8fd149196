package pytest_test

import (
	"testing"

	"assay/harness"
)

func TestWhatChildProcessesReachBelongsToTheirTest(t *testing.T) {
	t.Parallel()
	p := open(t, "children", settings{targets: watched("pkg/tool.py", "pkg/user.py")}).sound()
	const unseen = "test_isolated" // its process tells nothing: it is added to every selection
	for _, c := range []struct {
		what, path, line string
		basis            harness.Basis
		tests            []string
	}{
		{"a module that is run", "pkg/tool.py", `    print("main")`, harness.Hit, []string{"test_module", unseen}},
		{"a function in the test's own process and in a grandchild", "pkg/user.py", "    return tool.tool() + 1", harness.Hit, []string{"test_plain", "test_nested", unseen}},
		{"a function that nothing runs, in a file that two tests load", "pkg/user.py", "    return 2", harness.Package, []string{"test_plain", "test_nested", unseen}},
	} {
		sel := p.Cover(c.path, p.lines(c.path, c.line, c.line))
		if sel.Basis != c.basis {
			t.Errorf("%s: basis %s, want %s", c.what, sel.Basis, c.basis)
		}
		same(t, c.what, short(sel.Tests), c.tests...)
	}
}
