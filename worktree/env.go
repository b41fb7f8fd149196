package worktree

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Environ returns the environment of this process without the variables that
// tie git to one repository (those `git rev-parse --local-env-vars` lists),
// for every process that is to work in another one. A git hook sets them, and
// a test that runs git under them writes into the repository of the hook. It
// fails with ErrNoGit when git cannot be run.
func Environ(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--local-env-vars").Output()
	if err != nil {
		return nil, trouble(ctx, ErrNoGit, err, "could not run git (%v); install git 2.31 or later and put it on PATH", err)
	}
	return scrub(os.Environ(), strings.Fields(string(out))), nil
}

// scrub drops the named variables. The numbered pairs that GIT_CONFIG_COUNT
// counts are not in git's list, but belong to it.
func scrub(env, names []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		key, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, key) ||
			strings.HasPrefix(key, "GIT_CONFIG_KEY_") || strings.HasPrefix(key, "GIT_CONFIG_VALUE_")
	})
}

// ownEnv is the environment of the git processes of this package: also free of
// what changes git's output, and forbidden to lock, prompt or run Git LFS.
func ownEnv(env []string) []string {
	own := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		for _, prefix := range []string{"GIT_TRACE", "GIT_EXTERNAL_DIFF=", "GIT_DIFF_OPTS=", "GIT_TEMPLATE_DIR=",
			"GIT_GLOB_PATHSPECS=", "GIT_NOGLOB_PATHSPECS=", "GIT_ICASE_PATHSPECS=", "GIT_DEFAULT_HASH=", "LC_ALL=", "LANGUAGE="} {
			if strings.HasPrefix(kv, prefix) {
				return true
			}
		}
		return false
	})
	return append(own, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LITERAL_PATHSPECS=1",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_LFS_SKIP_SMUDGE=1")
}
