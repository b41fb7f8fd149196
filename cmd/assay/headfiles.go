package main

import (
	"context"
	"fmt"
	"path"
	"slices"

	"assay/change"
	"assay/prove"
)

// headFiles are the files of head that a language reads, changed or not, with
// their kinds.
func (p *project) headFiles(ctx context.Context, trees prove.Trees, langs []prove.Language) ([]*change.File, error) {
	head, err := readHead(ctx, p.env, trees)
	if err != nil {
		return nil, err
	}
	c := &change.Change{}
	for _, name := range head.files {
		if path.Ext(name) == "" || !slices.ContainsFunc(pairings(), func(l pairing) bool { return l.marked(name) }) {
			continue
		}
		text, err := head.read(name)
		if err != nil {
			return nil, fmt.Errorf("reading %s at head: %w", name, err)
		}
		c.Files = append(c.Files, wholeFile(name, text))
	}
	classify(c, p.cfg.Kinds, langs)
	return c.Files, nil
}

// changesTests reports whether there is anything for the gate to judge.
func changesTests(c *change.Change) bool {
	return slices.ContainsFunc(c.Files, func(f *change.File) bool { return f.Kind == change.Test || f.Kind == change.Support })
}
