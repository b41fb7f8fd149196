package mutate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/change"
)

// dataDirs hold what tests read, whatever the files in them are called.
var dataDirs = []string{"testdata", "fixtures", "fixture", "golden", "goldens", "snapshots", "__snapshots__", "cassettes"}

// testDirs hold tests; a README or a .txt below one may be read by them.
var testDirs = []string{"test", "tests", "testing", "spec", "specs", "__tests__"}

// A kindRule gives a Kind to the paths that match it.
type kindRule struct {
	match *regexp.Regexp // against the slash-separated path
	kind  change.Kind
	why   string
}

// genericRules are tried in order; the first match wins.
var genericRules = []kindRule{
	{regexp.MustCompile(`(?i)(^|/)pytest\.(ini|toml)$`), change.Support, "pytest configuration"},
	{regexp.MustCompile(`(?i)(^|/)(requirements[^/]*\.(txt|in)|constraints[^/]*\.txt)$`), change.Inert, "environment: required packages"},
	{regexp.MustCompile(`(?i)(^|/)(pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.toml|MANIFEST\.in)$`), change.Inert, "packaging"},
	{regexp.MustCompile(`(^|/)([Mm]akefile|GNUmakefile|Dockerfile[^/]*|docker-compose[^/]*|compose\.ya?ml|Justfile|justfile|Taskfile\.ya?ml|Jenkinsfile|Procfile)$`), change.Inert, "build recipe"},
	{regexp.MustCompile(`(?i)(^|/)(package-lock\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Pipfile(\.lock)?|Cargo\.lock|Gemfile\.lock|composer\.lock|[^/]*\.lock)$`), change.Inert, "lock file"},
	{regexp.MustCompile(`(^|/)\.(github|gitlab|circleci|azure-pipelines|buildkite|ci|vscode|idea|devcontainer|husky|changeset)/`), change.Inert, "CI or editor configuration"},
	{regexp.MustCompile(`(?i)(^|/)(\.gitignore|\.gitattributes|\.gitmodules|\.mailmap|\.editorconfig|\.dockerignore|\.npmignore|\.travis\.yml|\.gitlab-ci\.yml|\.?appveyor\.yml|azure-pipelines\.yml|\.?codecov\.ya?ml|\.coveragerc|\.pre-commit-config\.yaml|\.readthedocs\.ya?ml|\.golangci\.(ya?ml|toml)|\.goreleaser\.ya?ml|\.flake8|\.pylintrc|mypy\.ini|\.?ruff\.toml|\.prettierrc[^/]*|\.eslintrc[^/]*|\.git-blame-ignore-revs|renovate\.json|dependabot\.yml|CODEOWNERS|\.pyup\.yml|\.isort\.cfg)$`), change.Inert, "CI, linter or editor configuration"},
	{regexp.MustCompile(`(?i)(^|/)(LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|PATENTS|CHANGELOG|CHANGES|HISTORY|NEWS|README|SECURITY|MAINTAINERS|TODO|THANKS)(\.(md|rst|txt|adoc|html)|-[a-z0-9.]+)?$`), change.Inert, "document"},
	{regexp.MustCompile(`(?i)\.(md|mdx|markdown|rst|adoc|asciidoc|textile|pdf|docx?|odt)$`), change.Inert, "document"},
	{regexp.MustCompile(`(?i)(^|/)docs?/.*\.(txt|css|js|html|inc|bib|png|svg|jpe?g|gif)$`), change.Inert, "documentation"},
	{regexp.MustCompile(`(?i)^[^/]*\.txt$`), change.Inert, "text document at the top"},
	{regexp.MustCompile(`(?i)\.(png|jpe?g|gif|svg|ico|webp|bmp|tiff?|mp4|webm|mov|mp3|wav|woff2?|ttf|otf|eot)$`), change.Inert, "image, sound or font"},
}

var snapshot = regexp.MustCompile(`(?i)\.(snap|golden|approved\.[a-z]+|ambr)$`)

// NoRule is why a file that no rule knows is data.
const NoRule = "no rule calls it inert"

// GenericKind gives the kind of a path that no language owns, by its name
// alone, and the rule that gave it. Whatever lies below testdata, fixtures or
// a directory of tests is data, a README included: tests may read it. What no
// rule calls inert is data, and must be noticed by a test.
func GenericKind(name string) (kind change.Kind, why string) {
	dirs := strings.Split(path.Dir(name), "/")
	for _, d := range dirs {
		if slices.Contains(dataDirs, d) {
			return change.Data, "below " + d + "/"
		}
	}
	if snapshot.MatchString(name) {
		return change.Data, "snapshot or golden file"
	}
	if r := genericRules[0]; r.match.MatchString(name) {
		return r.kind, r.why
	}
	for _, d := range dirs {
		if slices.Contains(testDirs, d) {
			return change.Data, "below " + d + "/"
		}
	}
	for _, r := range genericRules {
		if r.match.MatchString(name) {
			return r.kind, r.why
		}
	}
	return change.Data, NoRule
}
