package pyprobe

import (
	"strings"
	"testing"

	"assay/harness"
	"assay/probe"
)

func nameOf(test harness.TestID) string {
	_, name, _ := strings.Cut(string(test), "::")
	return name
}

// scenarios says what is seen of each way to load a module while a deadline is
// armed: module, with marks for what is special about it.
var scenarios = map[string]string{
	"test_first_import":                        "first, >nested_in_first",
	"test_import_statement_of_a_loaded_module": "",
	"test_import_module_of_a_loaded_module":    "",
	"test_dotted_import":                       "outer.middle.inner, >outer.middle, >>outer",
	"test_from_package_import_submodule":       "parent, parent.child",
	"test_from_package_import_name":            "plain",
	"test_extension_module":                    "_lsprof",
	"test_import_module":                       "dynamic.part, >dynamic",
	"test_module_getattr":                      "lazy_target",
	"test_resolve_name":                        "resolved.part, >resolved",
	"test_thread":                              "threaded@worker",
	"test_namespace_package":                   "space.inside.leaf, >space.inside, >>space",
	"test_missing_twice":                       "nowhere?, nowhere?",
	"test_broken_by_an_import_error":           "needs_nowhere?, >nowhere_either?",
	"test_broken_by_another_error":             "broken.outside, >broken",
	"test_exec_module":                         "by_spec.py!",
	"test_run_path":                            "by_path.py!",
	"test_reload":                              "loaded.py!",
	"test_find_spec_only":                      "",
	"test_import_after_it_was_thrown_away":     "thrown+",
	"test_import_after_disarming":              "",
	"test_child_process":                       "",
	"test_generated_code":                      "",
}

func TestEveryWayToLoadAModuleUnderADeadlineIsSeenForWhatItIs(t *testing.T) {
	seen := record(t, project(t, "scenarios"), probe.Conditions{})
	if len(seen) != len(scenarios) {
		t.Errorf("%d tests ran, %d scenarios are described", len(seen), len(scenarios))
	}
	for name, want := range scenarios {
		f, ran := seen[name]
		if !ran || f.Status != harness.Passed {
			t.Errorf("%s: %s %s", name, f.Status, f.Message)
		}
		if got := described(f.Late); got != want {
			t.Errorf("%s: late is %q, want %q", name, got, want)
		}
		if len(f.Aborted) > 0 || len(f.HalfImported) > 0 {
			t.Errorf("%s: aborted %v, half imported %v", name, f.Aborted, f.HalfImported)
		}
		if len(f.Armed) != 1 || f.Armed[0].By != "ITIMER_REAL" || f.Armed[0].Fixture != "armed" || f.Armed[0].Phase != "setup" || f.Armed[0].At != "conftest.py:13" {
			t.Errorf("%s: armed is %+v", name, f.Armed)
		}
		for _, l := range f.Late {
			if l.Depth == 0 && !strings.HasPrefix(l.At, "test_it.py:") && name != "test_thread" && name != "test_module_getattr" && name != "test_resolve_name" {
				t.Errorf("%s: %s is said to be asked for at %s", name, l.Module, l.At)
			}
		}
	}
}

// described writes firsts as the table above does.
func described(all []probe.First) string {
	var words []string
	for _, f := range all {
		w := strings.Repeat(">", f.Depth) + f.Module
		for _, m := range []struct {
			on   bool
			mark string
		}{{f.Missing, "?"}, {f.Exec, "!"}, {f.Again, "+"}, {f.Thread != "", "@" + f.Thread}} {
			if m.on {
				w += m.mark
			}
		}
		words = append(words, w)
	}
	return strings.Join(words, ", ")
}
