package main

import (
	"fmt"
	"time"
)

// A figure is what some mutants cost.
type figure struct {
	mutants   int // that cost a run
	wall, cpu time.Duration
	told      string // what became of them, in the tool's words
}

func (f *figure) add(o figure) {
	f.mutants, f.wall, f.cpu = f.mutants+o.mutants, f.wall+o.wall, f.cpu+o.cpu
}

// rate is mutants a second of wall time.
func (f figure) rate() float64 { return float64(f.mutants) / f.wall.Seconds() }

// each is CPU seconds a mutant.
func (f figure) each() float64 { return f.cpu.Seconds() / float64(f.mutants) }

func (f figure) String() string {
	return fmt.Sprintf("%d mutants run, wall %.1f s, CPU %.1f s, %.2f mutants/s, %.2f s CPU a mutant (%s)",
		f.mutants, f.wall.Seconds(), f.cpu.Seconds(), f.rate(), f.each(), f.told)
}
