package report

import (
	"strconv"
	"strings"

	"assay/probe"
	"assay/prove"
)

// probeNotices are the probes that somebody has to look at: late, not as the
// settings expect, or inconclusive.
func probeNotices(r *prove.Report) []notice {
	var all []notice
	for _, p := range r.Probes {
		if p.Verdict == probe.Held && !p.Objects() {
			continue
		}
		n := notice{id: string(p.Test), rule: "probe-" + string(p.Reason), grave: p.Objects(),
			title: "probe " + string(p.Verdict) + ": " + string(p.Reason), text: plain(string(p.Test)) + ": " + plain(strings.Join(about(p), "; "))}
		n.file, n.first = probePlace(p)
		n.last = n.first
		all = append(all, n)
	}
	return all
}

// probePlace is where a probe's trouble begins: what was late, else where the
// deadline is armed, else the test's file.
func probePlace(p probe.Probe) (file string, line int) {
	places := each(p.Late, func(f probe.First) string { return f.At })
	places = append(places, each(p.Armings(true), func(a probe.Arming) string { return a.At })...)
	for _, at := range places {
		i := strings.LastIndexByte(at, ':')
		if i <= 0 || strings.HasPrefix(at, "/") {
			continue // outside of the repository: nobody could be shown it
		}
		if n, err := strconv.Atoi(at[i+1:]); err == nil && n > 0 {
			return at[:i], n
		}
	}
	file, _, _ = strings.Cut(string(p.Test), "::")
	return file, 0
}
