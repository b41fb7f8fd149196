package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"assay/change"
	"assay/prove"
	"assay/report"
)

func plantCommand() *cobra.Command {
	var f proveFlags
	cmd := &cobra.Command{
		Use:   "plant",
		Short: "Prove the standing plants of assay.toml: un-doings that must always turn tests red",
		Long: `plant puts each [[plant]] of assay.toml into HEAD, one at a time, in a throwaway
tree, and runs the tests that it names. A plant is PROVEN when each of them
turns red, twice. A plant whose text does not stand exactly once in HEAD is an
error, never passed over.`,
		Example: "  assay plant\n  assay plant --evidence evidence --format json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPlant(cmd, &f) },
	}
	flags := cmd.Flags()
	f.registerFormats(flags, report.Formats())
	f.registerRun(flags)
	flags.StringVar(&f.evidence, "evidence", "", "leave in `DIR` what the verdicts rest on")
	flags.StringSliceVar(&f.failOn, "fail-on", nil, "what gives a non-zero exit, as for assay prove (default "+defaultFailOn+")")
	completeFlags(cmd)
	return cmd
}

func runPlant(cmd *cobra.Command, f *proveFlags) (err error) {
	if err := errors.Join(f.check(), checkEvidence(f.evidence)); err != nil {
		return err
	}
	ctx := cmd.Context()
	p, err := openProject(ctx, cmd.Flags(), f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	if len(p.cfg.Plants) == 0 {
		return mistakef("%s has no [[plant]]; docs/configuration.md shows one", configName)
	}
	watch := f.newConsole(cmd.ErrOrStderr())
	r, err := p.plant(ctx, f, watch)
	watch.close()
	if err != nil {
		return err
	}
	if f.evidence != "" {
		if err := report.WriteEvidence(f.evidence, r); err != nil {
			return mistakef("cannot write the evidence to %s: %w", f.evidence, err)
		}
	}
	if err := f.write(cmd, r); err != nil {
		return err
	}
	if code := verdictCode(r, p.cfg.FailOn); code != exitOK {
		return codeError{code: code}
	}
	return nil
}

// plant proves every plant at HEAD.
func (p *project) plant(ctx context.Context, f *proveFlags, watch prove.Observer) (*prove.Report, error) {
	trees, langs, err := p.at(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	_, revision, err := p.repo.Resolve(ctx, "HEAD..HEAD")
	if err != nil {
		return nil, err
	}
	head, err := readHead(ctx, p.env, trees)
	if err != nil {
		return nil, err
	}
	c := &change.Change{Base: revision, Head: revision, Repo: p.repo.Name()}
	var plants []prove.Plant
	for _, cfg := range p.cfg.Plants {
		edits, err := cfg.edits(p.repo.Root(), head.read)
		if err != nil {
			return nil, err
		}
		plants = append(plants, prove.Plant{Name: cfg.title(), Edits: edits, Tests: cfg.Tests})
		for _, e := range edits {
			if slices.ContainsFunc(c.Files, func(f *change.File) bool { return f.Path == e.Path }) {
				continue
			}
			text, err := head.read(e.Path)
			if err != nil {
				return nil, err
			}
			c.Files = append(c.Files, wholeFile(e.Path, text))
		}
	}
	classify(c, p.cfg.Kinds, langs)
	r, err := prove.Plants(ctx, prove.Config{
		Version: version(), Origin: p.repo.Root(), Env: p.env, Scratch: p.pool.Scratch(), ReportName: f.reportName(),
	}, plants, c, langs, trees, watch)
	if errors.Is(err, prove.ErrNoSuchTest) {
		err = userError{err}
	}
	return r, err
}
