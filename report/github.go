package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"assay/prove"
)

// shownByGitHub is how many annotations of one kind GitHub shows of a step;
// further ones are dropped without a word.
const shownByGitHub = 10

// GitHub writes the objections of r as workflow commands, which GitHub turns
// into annotations beside the lines: NOT_PROVEN is a warning, INCONCLUSIVE a
// notice. What an earlier report had already is left out. When there are more
// than GitHub shows, the last one says how many.
func GitHub(w io.Writer, r *prove.Report, _ Style) error {
	var out bytes.Buffer
	if text := lost(r); text != "" {
		command(&out, "warning", notice{title: "assay", text: text})
	}
	all := notices(r, true)
	for _, kind := range []struct {
		grave bool
		name  string
	}{{true, "warning"}, {false, "notice"}} {
		annotate(&out, kind.name, slices.DeleteFunc(slices.Clone(all), func(n notice) bool { return n.grave != kind.grave }))
	}
	line(&out, Totals(r.Counts))
	if len(r.Probes) > 0 {
		line(&out, ProbeTotals(r))
	}
	if text := compared(r); text != "" {
		line(&out, text)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func annotate(w io.Writer, kind string, all []notice) {
	rest := 0
	if len(all) > shownByGitHub {
		rest = len(all) - shownByGitHub + 1
		all = all[:shownByGitHub-1]
	}
	for _, n := range all {
		command(w, kind, n)
	}
	if rest > 0 {
		command(w, kind, notice{title: "assay", text: fmt.Sprintf("%d more are not shown here; the job summary lists them all", rest)})
	}
}

// command writes one workflow command. Values are escaped as GitHub's own
// toolkit does it.
func command(w io.Writer, kind string, n notice) {
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+property(value)) }
	if n.file != "" {
		add("file", n.file)
		if n.first > 0 {
			add("line", fmt.Sprint(n.first))
			add("endLine", fmt.Sprint(n.last))
		}
	}
	add("title", n.title)
	line(w, "::"+kind+" "+strings.Join(properties, ",")+"::"+data(n.text))
}

func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
