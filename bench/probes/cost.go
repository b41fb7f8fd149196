package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"assay/harness"
	"assay/probe"
	"assay/probe/pyprobe"
)

// childCPU is what the children of this process have used so far.
func childCPU() (time.Duration, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		return 0, err
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), nil
}

// cost is the CPU time that run's children use.
func cost(run func() error) (time.Duration, error) {
	before, err := childCPU()
	if err != nil {
		return 0, err
	}
	if err := run(); err != nil {
		return 0, err
	}
	after, err := childCPU()
	return after - before, err
}

// duel measures two ways in turn, so that both see the same machine.
func duel(runs int, a, b func() error) (as, bs []time.Duration, err error) {
	for range runs {
		for _, one := range []struct {
			run  func() error
			into *[]time.Duration
		}{{a, &as}, {b, &bs}} {
			d, err := cost(one.run)
			if err != nil {
				return nil, nil, err
			}
			*one.into = append(*one.into, d)
		}
	}
	slices.Sort(as)
	slices.Sort(bs)
	return as, bs, nil
}

func show(what string, plain, with []time.Duration) {
	ratio := func(i int) float64 { return float64(with[i]) / float64(plain[i]) }
	fmt.Printf("%s: CPU least %.2f s against %.2f s (x%.3f), median %.2f s against %.2f s (x%.3f), %d runs each\n", what,
		with[0].Seconds(), plain[0].Seconds(), ratio(0), with[len(with)/2].Seconds(), plain[len(plain)/2].Seconds(), ratio(len(plain)/2), len(plain))
}

// overhead compares the suite with and without the recording, both run by
// assay.
func overhead(ctx context.Context, s settings, scratch string) error {
	place, err := open(ctx, s, scratch, os.Environ())
	if err != nil {
		return err
	}
	// What the session keeps of the first run serves the others.
	if _, err := hosted(ctx, place, s.dir, scratch); err != nil {
		return err
	}
	tests := 0
	plain, with, err := duel(s.runs, func() error {
		o, err := hosted(ctx, place, s.dir, scratch)
		tests = len(o.Tests)
		return err
	}, func() error {
		_, err := pyprobe.New().Discover(ctx, place, nil)
		return err
	})
	if err != nil {
		return err
	}
	show(fmt.Sprintf("recording %d tests against the same run without", tests), plain, with)
	return nil
}

// hosted is the suite run with a plugin that does nothing.
func hosted(ctx context.Context, place probe.Place, dir, scratch string) (harness.Outcome, error) {
	empty := filepath.Join(scratch, "empty")
	if err := os.MkdirAll(empty, 0o755); err != nil {
		return harness.Outcome{}, err
	}
	if err := os.WriteFile(filepath.Join(empty, "assay_nothing.py"), nil, 0o644); err != nil {
		return harness.Outcome{}, err
	}
	return place.Session.(harness.Host).Host(ctx, harness.Guest{Dir: dir, Scratch: scratch, Path: empty, Plugin: "assay_nothing"})
}

// single compares one probe with one plain pytest process of the same test.
func single(ctx context.Context, s settings, scratch string) error {
	place, err := open(ctx, s, scratch, os.Environ())
	if err != nil {
		return err
	}
	file, _, _ := strings.Cut(s.single, "::")
	plain, with, err := duel(max(s.runs, 5), func() error {
		end, err := harness.Start(ctx, harness.Process{Argv: []string{s.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", s.single},
			Dir: s.dir, Env: harness.Setenv(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")})
		if err == nil && end.Code != 0 {
			err = fmt.Errorf("pytest %s: exit code %d: %s", file, end.Code, end.Tail)
		}
		return err
	}, func() error {
		_, err := pyprobe.New().Probe(ctx, place, harness.TestID(s.single), probe.Conditions{ArmedDelay: true})
		return err
	})
	if err != nil {
		return err
	}
	show("one probe of "+s.single+" against one plain process", plain, with)
	return nil
}
