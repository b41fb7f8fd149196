package pytest_test

import (
	"strings"
	"testing"
)

func TestOnlyTestFilesThatCanReachTheChangeAreCollected(t *testing.T) {
	t.Parallel()
	p := open(t, "reach", settings{targets: watched("pkg/core.py")}).sound()
	same(t, "green", short(p.base.Green), "test_direct", "test_through", "test_patch", "test_unnamed", "test_fixture")
	if notes := strings.Join(p.base.Notes, "\n"); !strings.Contains(notes, "5 of 6 test files can reach the change") {
		t.Errorf("notes: %s", notes)
	}
	wide := open(t, "reach", settings{targets: watched("pkg/core.py"), all: true}).sound()
	same(t, "with all tests", short(wide.base.Green), "test_direct", "test_through", "test_patch", "test_unnamed", "test_fixture", "test_other")
}

func TestALoadThatNothingNamesWidensToAllTests(t *testing.T) {
	t.Parallel()
	p := open(t, "reach", settings{targets: watched("pkg/core.py"), edits: map[string][2]string{
		"tests/test_direct.py":  {"from pkg.core import core\n", "from pkg.core import core\nimport importlib\ngetattr(importlib, 'import_' + 'module')('pkg.' + 'hidden')\n"},
		"tests/test_unnamed.py": {"importlib.import_module(NAME)", "__import__('pkg.core', fromlist=['core'])"}}}).sound()
	if notes := strings.Join(p.base.Notes, "\n"); !strings.Contains(notes, "pkg/hidden.py is loaded although nothing names it") {
		t.Errorf("notes: %s", notes)
	}
	if len(p.base.Green) != 6 {
		t.Errorf("green: %q", p.base.Green)
	}
}

func TestWhatIsNotPythonMayBeOpenedByAnyTest(t *testing.T) {
	t.Parallel()
	p := open(t, "reach", settings{targets: watched("pkg/core.py", "data.json")}).sound()
	if len(p.base.Green) != 6 {
		t.Errorf("green: %q", p.base.Green)
	}
}
