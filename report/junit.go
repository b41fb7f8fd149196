package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"assay/probe"
	"assay/prove"
)

// The elements of JUnit XML that its readers agree on.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	spent    float64
}

type junitCase struct {
	ClassName string      `xml:"classname,attr"`
	Name      string      `xml:"name,attr"`
	File      string      `xml:"file,attr"`
	Line      int         `xml:"line,attr,omitempty"`
	Time      string      `xml:"time,attr"`
	Failure   *junitWords `xml:"failure,omitempty"`
	Error     *junitWords `xml:"error,omitempty"`
	Skipped   *junitWords `xml:"skipped,omitempty"`
}

type junitWords struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit writes r as JUnit XML: one suite a file, one case a hunk. NOT_PROVEN is
// a failure, INCONCLUSIVE an error, and what has nothing to prove, or was known
// to an earlier report, is skipped. Cases are named by declaration and hunk ID,
// so that CI recognises them after lines have moved.
func JUnit(w io.Writer, r *prove.Report, _ Style) error {
	all := junitSuites{Name: "assay", Time: fmt.Sprintf("%.3f", r.Seconds)}
	for i := range r.Findings {
		f := &r.Findings[i]
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != plain(f.File) {
			all.Suites = append(all.Suites, junitSuite{Name: plain(f.File)})
		}
		all.Suites[len(all.Suites)-1].add(r, f)
	}
	if len(r.Probes) > 0 {
		all.Suites = append(all.Suites, probeSuite(r))
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Time = fmt.Sprintf("%.3f", s.spent)
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Errors, all.Skipped = all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (s *junitSuite) add(r *prove.Report, f *prove.Finding) {
	first, _ := place(f)
	c := junitCase{ClassName: plain(f.File), Name: caseName(f), File: plain(f.File), Line: first, Time: fmt.Sprintf("%.3f", seconds(f))}
	s.spent += seconds(f)
	words := &junitWords{Message: f.Verdict.String() + " " + sentence(r, f), Type: string(f.Reason), Text: block(f.Diff)}
	skip := &junitWords{Message: words.Message}
	s.Tests++
	switch {
	case f.Known:
		skip.Message = "known: " + skip.Message
		c.Skipped = skip
		s.Skipped++
	case f.Verdict == prove.NotProven:
		c.Failure = words
		s.Failures++
	case f.Verdict == prove.Inconclusive:
		c.Error = words
		s.Errors++
	case f.Verdict == prove.NothingToProve:
		c.Skipped = skip
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// caseName is the first declarations of a hunk, if it has any, and its ID.
func caseName(f *prove.Finding) string {
	var names []string
	for _, u := range f.Units {
		if u.Name != "" {
			names = append(names, plain(u.Name))
		}
	}
	return strings.TrimSpace(strings.Join(bounded(names), ", ") + " #" + f.ID)
}

// probeSuite is one case for each probed test: late is a failure, and
// inconclusive an error.
func probeSuite(r *prove.Report) junitSuite {
	s := junitSuite{Name: "probes"}
	for _, p := range r.Probes {
		c := junitCase{ClassName: "probes", Name: plain(string(p.Test)), Time: fmt.Sprintf("%.3f", p.Seconds)}
		c.File, c.Line = probePlace(p)
		words := &junitWords{Message: plain(string(p.Verdict) + " " + p.Detail), Type: string(p.Reason), Text: block(strings.Join(about(p), "\n"))}
		switch {
		case p.Objects():
			c.Failure = words
			s.Failures++
		case p.Verdict == probe.Inconclusive:
			c.Error = words
			s.Errors++
		}
		s.Tests++
		s.spent += p.Seconds
		s.Cases = append(s.Cases, c)
	}
	return s
}
