package pytest

import (
	"regexp"
	"strings"
)

// What a Python file may load, read from its text alone. Everything here errs
// on the side of too much: a line of prose that looks like an import is one.
type imports struct {
	modules []string // dotted names, those of relative imports with their dots
	strings []string // dotted names inside quotes: patch targets, plugin lists, settings
	dynamic bool     // it loads what its text does not name, or starts processes
}

var (
	fromImport = regexp.MustCompile(`(?m)(?:^|[;:])[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|(?:\\\r?\n|[^\n;])*)`)
	anyImport  = regexp.MustCompile(`(?m)(?:^|[;:])[ \t]*import[ \t]+((?:\\\r?\n|[^\n;])*)`)
	comment    = regexp.MustCompile(`#[^\n]*`)
	quoted     = regexp.MustCompile(`["']([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)["':\[]`)
	// Imports of computed names, processes, other ways to run code, and plugin
	// systems.
	unnamed = regexp.MustCompile(`\b(?:import_module|__import__)\(\s*[^"'\s]|\b(?:exec\(|runpy|subprocess|Popen|os\.system|os\.exec|os\.spawn|` +
		`posix_spawn|spec_from_file_location|SourceFileLoader|iter_modules|walk_packages|entry_points|iter_entry_points|` +
		`pytester|testdir|create_subprocess_\w+|pexpect)\b`)
)

// importsOf reads what the text of a file may load.
func importsOf(text []byte) imports {
	s := string(text)
	var found imports
	for _, m := range fromImport.FindAllStringSubmatch(s, -1) {
		found.modules = append(found.modules, m[1])
		for _, name := range names(m[2]) {
			found.modules = append(found.modules, joined(m[1], name))
		}
	}
	for _, m := range anyImport.FindAllStringSubmatch(s, -1) {
		found.modules = append(found.modules, names(m[1])...)
	}
	for _, m := range quoted.FindAllStringSubmatch(s, -1) {
		found.strings = append(found.strings, m[1])
	}
	found.dynamic = unnamed.MatchString(s)
	return found
}

// joined is a name of a module: "a" and "b" make "a.b", ".." and "b" make "..b".
func joined(module, name string) string {
	if strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}

// names are the names of an import list, without what they are bound to.
func names(list string) []string {
	list = comment.ReplaceAllString(strings.Trim(list, "()"), "")
	list = strings.ReplaceAll(list, "\\\n", " ")
	var out []string
	for _, item := range strings.Split(list, ",") {
		if words := strings.Fields(item); len(words) > 0 {
			out = append(out, strings.Trim(words[0], "()"))
		}
	}
	return out
}
