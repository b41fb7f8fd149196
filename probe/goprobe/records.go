package goprobe

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/probe"
	"assay/probe/goprobe/agent"
)

// readRecords reads what the agent wrote, by test. A last line without a line
// end is what a killed process did not finish.
func readRecords(in *bufio.Reader, dir string) (map[string]*probe.Facts, error) {
	facts := map[string]*probe.Facts{}
	open := map[int]*probe.Facts{} // the firsts that are not done
	index := map[int]int{}
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return facts, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read line %d of a probe's records: %w", n, err)
		}
		var r agent.Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("line %d of a probe's records: %w", n, err)
		}
		f := facts[r.Test]
		if f == nil {
			f = &probe.Facts{}
			facts[r.Test] = f
		}
		switch r.Kind {
		case "armed":
			f.Armed = append(f.Armed, probe.Arming{By: r.By, Seconds: r.Seconds, At: r.At, Phase: "call"})
		case "late":
			f.Late = append(f.Late, probe.First{Module: r.Name, At: shown(r.At, dir)})
			open[r.N], index[r.N] = f, len(f.Late)-1
		case "done":
			if begun := open[r.N]; begun != nil {
				begun.Late[index[r.N]].MS = r.MS
			}
		case "planted":
			f.Planted = append(f.Planted, probe.Planted{Module: r.Name, Seconds: r.Seconds, Armed: r.Armed, Under: r.Under})
		}
	}
}

// shown makes a place that the runtime names relative to the tree.
func shown(at, dir string) string {
	file, line, ok := cutLast(at, ":")
	if !ok || !filepath.IsAbs(file) {
		return at
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		file = filepath.ToSlash(rel)
	}
	return file + ":" + line
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
