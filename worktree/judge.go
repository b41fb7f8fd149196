package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A judge is the throwaway repository that says what head is. Each tree gets a
// copy of it as its .git.
type judge struct {
	dir    string // judge.git
	commit string // HEAD
	format string // object format
	env    []string
	// head is what git holds at head, by path.
	head map[string]leaf
}

// A leaf is one entry of head's tree.
type leaf struct {
	mode uint32
	id   string
}

// newJudge makes the repository in run for the commit, which is head or the
// commit of a snapshot; then objects is the directory of its objects, which are
// copied, so that the snapshot may be closed before the pool.
func newJudge(ctx context.Context, r *Repo, g git, run *run, commit, objects string) (*judge, error) {
	j := &judge{dir: filepath.Join(run.dir, "judge.git"), commit: commit, format: r.format, env: r.git.env}
	init := git{dir: run.dir, env: j.env}
	if _, err := init.run(ctx, nil, "init", "--quiet", "--bare", "--template=", "--object-format="+r.format, j.dir); err != nil {
		return nil, err
	}
	if err := j.configure(ctx, r); err != nil {
		return nil, err
	}
	if objects != "" {
		if err := copyTree(objects, filepath.Join(j.dir, "objects")); err != nil {
			return nil, err
		}
	}
	tags, err := r.git.run(ctx, nil, "for-each-ref", "--format=%(objectname) %(refname)", "refs/tags")
	if err != nil {
		return nil, err
	}
	for name, content := range map[string]string{
		"objects/info/alternates": quoteAlternate(filepath.Join(r.common, "objects")) + "\n",
		"packed-refs":             "# pack-refs with: sorted \n" + string(tags),
		"HEAD":                    commit + "\n",
	} {
		if err := writeFile(filepath.Join(j.dir, name), []byte(content)); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"shallow", "info/exclude", "info/attributes"} {
		if err := copyIfThere(filepath.Join(r.common, name), filepath.Join(j.dir, name)); err != nil {
			return nil, err
		}
	}
	return j, j.readHead(ctx, g)
}

// configure writes the config: what is copied, then what a throwaway
// repository needs.
func (j *judge) configure(ctx context.Context, r *Repo) error {
	out, err := r.git.run(ctx, nil, "config", "--local", "--includes", "--null", "--list")
	if err != nil {
		return err
	}
	settings := [][2]string{}
	for _, record := range records(out) {
		key, value, valued := strings.Cut(record, "\n")
		if !valued {
			value = "true"
		}
		if isCopied(key) {
			settings = append(settings, [2]string{key, value})
		}
	}
	settings = append(settings, [][2]string{
		{"core.bare", "false"}, {"gc.auto", "0"}, {"maintenance.auto", "false"}, {"core.fsmonitor", "false"},
		{"filter.lfs.smudge", ""}, {"filter.lfs.clean", ""}, {"filter.lfs.process", ""}, {"filter.lfs.required", "false"},
	}...)
	g := git{dir: filepath.Dir(j.dir), env: j.env}
	for _, s := range settings {
		if _, err := g.run(ctx, nil, "config", "--file", filepath.Join(j.dir, "config"), "--replace-all", s[0], s[1]); err != nil {
			return err
		}
	}
	return nil
}

// isCopied picks the settings of the user's repository that decide how files
// are checked out and who commits. Remotes are not among them: a test cannot
// push to one. Global settings hold in every repository anyway.
func isCopied(key string) bool {
	switch key {
	case "core.autocrlf", "core.eol", "core.symlinks", "core.filemode", "core.ignorecase", "core.precomposeunicode",
		"core.attributesfile", "core.excludesfile", "core.longpaths", "merge.conflictstyle":
		return true
	}
	return strings.HasPrefix(key, "user.") || strings.HasPrefix(key, "filter.")
}

func (j *judge) readHead(ctx context.Context, g git) error {
	out, err := g.run(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", j.commit)
	if err != nil {
		return err
	}
	j.head = map[string]leaf{}
	for _, record := range records(out) {
		meta, path, _ := strings.Cut(record, "\t")
		var l leaf
		var kind string
		if _, err := fmt.Sscanf(meta, "%o %s %s", &l.mode, &kind, &l.id); err != nil {
			return fmt.Errorf("git ls-tree has the record %q: %w", record, err)
		}
		j.head[path] = l
	}
	return nil
}

// on returns a git that judges the tree in dir with an index of its own.
func (j *judge) on(dir, index string) git {
	return git{dir: dir, env: j.env}.with("GIT_DIR="+j.dir, "GIT_WORK_TREE="+dir, "GIT_INDEX_FILE="+index)
}

// quoteAlternate quotes a path for objects/info/alternates and for
// GIT_ALTERNATE_OBJECT_DIRECTORIES, where a leading quote, a line end and the
// list separator mean something.
func quoteAlternate(path string) string {
	if !strings.ContainsAny(path, "\"\n\\#"+string(os.PathListSeparator)) {
		return path
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

func copyIfThere(from, to string) error {
	content, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return writeFile(to, content)
}
