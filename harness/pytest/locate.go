package pytest

import (
	"slices"

	"assay/change"
)

// A location is where a span lies among the statements of a source.
type location struct {
	on     []int // the statements on the lines themselves
	around []int // the statements of the function around the lines, or of those they touch
	// atImport: whatever the probes say, the lines run at import: the header
	// of a function or class, or a deletion outside every function.
	atImport bool
}

// locate finds the statements that a span is about.
func (s source) locate(span change.Span) location {
	if span.Lines == 0 {
		return s.locateGap(span.Start)
	}
	at := location{on: s.on(span.Start, span.End())}
	bodies := s.functionsAround(span.Start, span.End())
	for _, n := range at.on {
		if s.declares(n) && span.End() <= s.Points[n][1] {
			at.atImport = true
			bodies = append(bodies, s.functionWithHeader(s.Points[n])...)
		}
	}
	at.around = s.inside(bodies)
	return at
}

// locateGap finds what a deletion after the given line is about: the function
// it stood in and the statements beside it, else the import of the file.
func (s source) locateGap(line int) location {
	at := location{on: s.on(line, line+1)}
	var best [][2]int
	for _, f := range s.Functions {
		if f[0] <= line && line <= f[1] && (len(best) == 0 || f[1]-f[0] <= best[0][1]-best[0][0]) {
			best = [][2]int{f}
		}
	}
	at.atImport = len(best) == 0
	for _, n := range at.on {
		if at.atImport && s.declares(n) { // perhaps one of its decorators
			best = append(best, s.functionWithHeader(s.Points[n])...)
		}
	}
	at.around = s.inside(best)
	return at
}

// on returns the innermost statements of the lines first..last.
func (s source) on(first, last int) []int {
	var on []int
	for line := first; line <= last; line++ {
		if n := s.innermost(line); n >= 0 && !slices.Contains(on, n) {
			on = append(on, n)
		}
	}
	return on
}

// inside returns the statements within any of the given functions.
func (s source) inside(functions [][2]int) []int {
	var found []int
	for n, p := range s.Points {
		if slices.ContainsFunc(functions, func(f [2]int) bool { return f[0] <= p[0] && p[0] <= f[1] }) {
			found = append(found, n)
		}
	}
	return found
}

// innermost returns the smallest statement that holds a line, or -1. For a def
// or class only its header counts.
func (s source) innermost(line int) int {
	best := -1
	for n, p := range s.Points {
		if p[0] <= line && line <= p[1] && (best < 0 || p[1]-p[0] <= s.Points[best][1]-s.Points[best][0]) {
			best = n
		}
	}
	return best
}

// functionsAround returns the smallest function whose body holds all lines of
// first..last; when there is none, every function with a line among them.
func (s source) functionsAround(first, last int) [][2]int {
	var best, touched [][2]int
	for _, f := range s.Functions {
		holds := f[0] < first && last <= f[1]
		if holds && (len(best) == 0 || f[1]-f[0] <= best[0][1]-best[0][0]) {
			best = [][2]int{f}
		}
		if f[0] < last+1 && first <= f[1] && last > f[0] {
			touched = append(touched, f)
		}
	}
	if len(best) > 0 {
		return best
	}
	return touched
}

func (s source) functionWithHeader(p [3]int) [][2]int {
	for _, f := range s.Functions {
		if f[0] == p[1] {
			return [][2]int{f}
		}
	}
	return nil
}

// declares reports whether statement n is a def or class, whose own execution
// only binds a name.
func (s source) declares(n int) bool { return s.Points[n][2] == 1 }
