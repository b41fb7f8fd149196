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
	for flag, complete := range map[string]cobra.CompletionFunc{
		"format":  words(report.Formats()...),
		"fail-on": words(objections[:]...),
		"hang":    words("proven", "inconclusive"),
	} {
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
	var out strings.Builder
	end, err := harness.Start(ctx, harness.Process{Dir: repo.Root(), Env: repo.Environ(), Stdout: &out,
		Argv: []string{"git", "for-each-ref", "--sort=-committerdate", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"}})
	if err == nil && end.Code != 0 {
		err = fmt.Errorf("git for-each-ref: %s", strings.TrimSpace(end.Tail))
	}
	return strings.Fields(out.String()), err
}

// completeTrials offers the report's file, and then its trials with the hunk
// that each belongs to.
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
		for _, t := range f.Trials {
			if strings.HasPrefix(t.ID, word) {
				all = append(all, cobra.CompletionWithDesc(t.ID, report.Name(f)+" "+t.Purpose))
			}
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
