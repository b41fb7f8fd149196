package main

import (
	"fmt"
	"strings"
)

// A setting describes one key of assay.toml for people. The reference in
// docs/configuration.md is made from these; a test holds that every key of
// Config is here and that every flag exists.
type setting struct {
	key      string // as in assay.toml, dotted
	flag     string // the flag of assay prove that wins over it; "" for none
	value    string // what is written, in TOML
	fallback string // what holds when nothing is said
	text     string
}

// settings are all keys, in the order in which they are best read.
func settings() []setting {
	return []setting{
		{"base", "", `"origin/develop"`, "the default branch", "what `assay prove` compares with when it is given nothing"},
		{"jobs", "jobs", "2", "one per processor", "trees at work at once"},
		{"budget", "budget", `"10m"`, "none", "stop in time, with a full report"},
		{"hang", "hang", `"inconclusive"`, "`proven`", "what a test that hangs twice, alone, says: `proven` or `inconclusive`"},
		{"python", "python", `".venv/bin/python"`, "`VIRTUAL_ENV`, `.venv`, `venv`, uv, poetry, conda, then `python3` on `PATH`", "the interpreter that runs pytest"},
		{"test_command", "test-command", `"npm test"`, "none", "tests what is neither Go nor Python"},
		{"junit", "junit", `["reports/*.xml"]`, "none", "the JUnit XML that `test_command` writes"},
		{"link", "", `["vendor/bundle"]`, "`node_modules`, `.venv` and `venv`", "ignored files that tests need: linked into each tree"},
		{"copy", "", `["config/local.json"]`, "`_version.py` and `version.py` (setuptools-scm, hatch-vcs)", "the same, but always copied"},
		{"fail_on", "fail-on", `["not_proven"]`, "`" + strings.ReplaceAll(defaultFailOn, ",", "`, `") + "`", "what gives a non-zero exit"},
		{"kinds.production", "", `["tools/**"]`, "what nothing else claims", "globs of code"},
		{"kinds.support", "", `["internal/testkit/**"]`, "fixtures, `conftest.py`, helpers", "globs of what tests stand on"},
		{"kinds.test", "", `["spec/**"]`, "what the language calls a test file", "globs of files that hold tests"},
		{"kinds.data", "", `["queries/*.sql"]`, "JSON, SQL, templates and the like", "globs of what code or tests read"},
		{"kinds.inert", "", `["examples/**"]`, "documents, CI, lock files", "globs of what cannot change behaviour"},
		{"kinds.generated", "", `["api/*.gen.go"]`, "files that say so", "globs of what a generator writes"},
		{"env", "", `[{name = "new-york", set = {TZ = "America/New_York"}}]`, "none", "each set runs the whole proof once more; a hunk that a test notices under any of them is `PROVEN`, and the finding names the set"},
		{"probe", "", `[{test = "tests/test_inbox.py::test_one", expect = "held"}]`, "none", "what `assay probe` holds a test to; see [probes.md](probes.md)"},
		{"go.flags", "", `["-race"]`, "none; `GOFLAGS` holds as well", "further flags for go build and go test"},
		{"go.tags", "", `["integration"]`, "none", "build tags"},
	}
}

// settingsTable is the reference of all keys in Markdown.
func settingsTable() string {
	var out strings.Builder
	out.WriteString("| key | flag | default | what it is | example |\n|---|---|---|---|---|\n")
	for _, s := range settings() {
		flag := ""
		if s.flag != "" {
			flag = "`--" + s.flag + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | `%s` |\n", s.key, flag, s.fallback, s.text, s.value)
	}
	return out.String()
}
