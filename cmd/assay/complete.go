package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/harness"
	"assay/report"
	"assay/worktree"
)

// completions teaches the shell what prove's flags and argument can be.
func completions(cmd *cobra.Command) {
	cmd.ValidArgsFunction = completeRevisions
	completeFlags(cmd)
}

// completeFlags offers the words that the flags of a command take.
func completeFlags(cmd *cobra.Command) {
	words := func(words ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	offers := map[string]cobra.CompletionFunc{
		"fail-on": words(objections[:]...),
		"hang":    words("proven", "inconclusive"),
	}
	if format := cmd.Flags().Lookup("format"); format != nil {
		if v, ok := format.Value.(*formatValue); ok {
			offers["format"] = words(v.known...)
		}
	}
	for flag, complete := range offers {
		if cmd.Flags().Lookup(flag) == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // a flag that is not registered is a slip in this program
		}
	}
}

// completeRevisions offers the branches and tags of the repository, also after
// "BASE..". Where it cannot know any, it offers nothing.
func completeRevisions(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 {
		return nil, no
	}
	names, err := revisions(cmd.Context())
	if err != nil {
		return nil, no // a shell has no place for an error
	}
	before := ""
	if i := strings.LastIndex(word, ".."); i >= 0 {
		before = word[:i+2]
	}
	var all []string
	for _, name := range append(names, "HEAD", "HEAD~1..HEAD") {
		if (before == "" || !strings.Contains(name, "..")) && strings.HasPrefix(before+name, word) {
			all = append(all, before+name)
		}
	}
	return all, no
}

// revisions are the names of branches and tags, the latest first.
func revisions(ctx context.Context) ([]string, error) {
	repo, err := worktree.Open(ctx, "")
	if err != nil {
		return nil, err
	}
	return gitWords(ctx, repo, repo.Root(), "for-each-ref", "--sort=-committerdate", "--format=%(refname:short)%00", "refs/heads", "refs/remotes", "refs/tags")
}

// gitWords is what git prints in a directory, split where it writes NUL.
func gitWords(ctx context.Context, repo *worktree.Repo, dir string, args ...string) ([]string, error) {
	var out strings.Builder
	end, err := harness.Start(ctx, harness.Process{Dir: dir, Env: repo.Environ(), Stdout: &out, Argv: append([]string{"git"}, args...)})
	if err == nil && end.Code != 0 {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(end.Tail))
	}
	var words []string
	for word := range strings.SplitSeq(out.String(), "\x00") {
		if word = strings.Trim(word, "\n"); word != "" {
			words = append(words, word)
		}
	}
	return words, err
}

// completeTrials offers the report's file, and then its hunks that were tried,
// and its trials with the hunk that each belongs to.
func completeTrials(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	r, err := loadReport(args[0])
	if err != nil || len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp // a shell has no place for an error
	}
	var all []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if name := report.Name(f); len(f.Trials) > 0 && strings.HasPrefix(name, word) {
			all = append(all, cobra.CompletionWithDesc(name, f.Verdict.String()+" "+string(f.Reason)))
		}
		for _, t := range f.Trials {
			if strings.HasPrefix(t.ID, word) {
				all = append(all, cobra.CompletionWithDesc(t.ID, report.Name(f)+" "+t.Purpose))
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
