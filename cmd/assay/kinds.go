package main

import (
	"fmt"

	"github.com/bmatcuk/doublestar/v4"

	"assay/change"
	"assay/mutate"
	"assay/prove"
	"assay/report"
)

// classify sets Kind, KindWhy and Language of every file: the configuration's
// globs win, then the language that owns the path, then what holds for any
// repository. A report that lies in a working tree since the last proof is no
// part of the change.
func classify(c *change.Change, kinds Kinds, langs []prove.Language) {
	for _, f := range c.Files {
		f.Kind, f.KindWhy = mutate.GenericKind(f.Path)
		for _, l := range langs {
			if l.Source == nil {
				continue
			}
			if kind, why, ok := l.Source.Kind(f); ok {
				f.Kind, f.KindWhy, f.Language = kind, why, l.Name
				break
			}
		}
		if c.Head.Uncommitted && f.Status == change.Added && f.KindWhy == mutate.NoRule && report.Own(f.New) {
			f.Kind, f.KindWhy = change.Inert, "a report that assay wrote"
		}
		if kind, why, ok := kinds.match(f.Path); ok {
			f.Kind, f.KindWhy = kind, why
		}
	}
}

// match returns the kind of the first glob that matches path.
func (k Kinds) match(path string) (change.Kind, string, bool) {
	for _, group := range k.globs() {
		for _, glob := range group.globs {
			if doublestar.MatchUnvalidated(glob, path) {
				return group.kind, fmt.Sprintf("%s: kinds.%s = %q", configName, group.kind, glob), true
			}
		}
	}
	return 0, "", false
}

// only keeps the files of c whose path, at base or at head, matches one of the
// globs.
func only(c *change.Change, globs []string) error {
	for _, glob := range globs {
		if !doublestar.ValidatePattern(glob) {
			return mistakef("--files %q is not a glob", glob)
		}
	}
	if len(globs) == 0 {
		return nil
	}
	var kept []*change.File
	for _, f := range c.Files {
		for _, glob := range globs {
			if doublestar.MatchUnvalidated(glob, f.Path) || doublestar.MatchUnvalidated(glob, f.OldPath) {
				kept = append(kept, f)
				break
			}
		}
	}
	if len(kept) == 0 && len(c.Files) > 0 {
		return mistakef("--files %q matches none of the %d changed files; globs are relative to the top of the repository, ** matches directories", globs, len(c.Files))
	}
	c.Files = kept
	return nil
}
