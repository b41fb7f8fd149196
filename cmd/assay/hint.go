package main

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/prove"
)

// hintShown is how many ignored files a hint names at most, and hintAsked how
// many are looked through for those that a test asks for by name.
const (
	hintShown = 8
	hintAsked = 10000
)

// ignoredHint names ignored files that only the user's tree has, when tests
// are red or cannot run at head: a test may need one of them. What the tests
// complain of by name comes with the line of the configuration that lends it.
func (p *project) ignoredHint(ctx context.Context, r *prove.Report) error {
	ill := slices.ContainsFunc(r.Baseline.Languages, func(l prove.LanguageBaseline) bool {
		return l.Trouble != "" || len(l.Red) > 0
	})
	if !ill || p.pool == nil {
		return nil
	}
	ignored, err := p.pool.IgnoredOnly(ctx, hintAsked)
	if err != nil || len(ignored) == 0 {
		return err
	}
	if missed := missedBy(r, ignored); len(missed) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the tests at head miss %s, which git ignores and only your own tree has; give it to the throwaway trees with this line in %s: copy = [%s]",
			strings.Join(missed, ", "), configName, quoted(missed)))
		return nil
	}
	r.Notes = append(r.Notes, fmt.Sprintf("tests are red at head, and these ignored files are only in your own tree: %s; if a test needs one, list it under link or copy in %s",
		strings.Join(ignored[:min(hintShown, len(ignored))], ", "), configName))
	return nil
}

// missedBy are the ignored files that what is said of the baseline names: as a
// module that cannot be imported, or by their own name.
func missedBy(r *prove.Report, ignored []string) []string {
	said := strings.Join(r.Notes, "\n")
	for _, l := range r.Baseline.Languages {
		said += "\n" + l.Trouble + "\n" + l.Output
	}
	var missed []string
	for _, file := range ignored {
		base := path.Base(file)
		named := []string{"'" + base + "'", "/" + base + "'"}
		if stem, ok := strings.CutSuffix(base, ".py"); ok {
			named = append(named, "."+stem+"'", "'"+stem+"'")
		}
		if slices.ContainsFunc(named, func(name string) bool { return strings.Contains(said, name) }) {
			missed = append(missed, file)
		}
	}
	return missed[:min(hintShown, len(missed))]
}

func quoted(files []string) string {
	out := make([]string, len(files))
	for i, file := range files {
		out[i] = fmt.Sprintf("%q", file)
	}
	return strings.Join(out, ", ")
}
