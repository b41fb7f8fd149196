package report

import (
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"assay/prove"
)

// The mutation testing report schema, version 2, that other tools and viewers
// read: https://github.com/stryker-mutator/mutation-testing-elements. A test
// validates what is written against its published text.
type (
	elements struct {
		SchemaVersion string                  `json:"schemaVersion"`
		Framework     elementsFramework       `json:"framework"`
		Thresholds    elementsThresholds      `json:"thresholds"`
		Files         map[string]elementFile  `json:"files"`
		TestFiles     map[string]elementTests `json:"testFiles"`
	}
	elementsThresholds struct {
		High int `json:"high"`
		Low  int `json:"low"`
	}
	elementsFramework struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	elementFile struct {
		Language string          `json:"language"`
		Source   string          `json:"source"`
		Mutants  []elementMutant `json:"mutants"`
	}
	elementMutant struct {
		ID           string          `json:"id"`
		MutatorName  string          `json:"mutatorName"`
		Description  string          `json:"description,omitempty"`
		Replacement  string          `json:"replacement"`
		Location     elementLocation `json:"location"`
		Status       string          `json:"status"`
		StatusReason string          `json:"statusReason,omitempty"`
		KilledBy     []string        `json:"killedBy,omitempty"`
		Tests        int             `json:"testsCompleted"`
		Duration     int64           `json:"duration"` // milliseconds
	}
	elementLocation struct {
		Start elementPosition `json:"start"`
		End   elementPosition `json:"end"`
	}
	elementPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"` // in UTF-16 units, as a browser counts
	}
)

// elementStatus maps fates to the words of the schema, which has none for a
// mutant that could not be decided: it is Ignored there, with the reason.
var elementStatus = map[prove.Fate]string{
	prove.Killed: "Killed", prove.Lived: "Survived", prove.Unreached: "NoCoverage", prove.Hung: "Timeout",
	prove.Suppressed: "Ignored", prove.Undecided: "Ignored", prove.Skipped: "Pending",
}

// MutationElements writes r under the mutation testing report schema. The
// thresholds are that schema's usual ones; assay itself has none.
func MutationElements(w io.Writer, r *prove.MutationReport, _ Style) error {
	return indented(w, elementsOf(r))
}

func elementsOf(r *prove.MutationReport) elements {
	out := elements{SchemaVersion: "2", Thresholds: elementsThresholds{High: 80, Low: 60},
		Files: map[string]elementFile{}, TestFiles: killersOf(r), Framework: elementsFramework{"assay", r.Tool.Version}}
	for _, f := range r.Sources {
		lines := strings.SplitAfter(string(f.Source), "\n")
		file := elementFile{Language: f.Language, Source: string(f.Source), Mutants: []elementMutant{}}
		for i := range r.Mutants {
			if r.Mutants[i].File == f.Path {
				file.Mutants = append(file.Mutants, elementOf(&r.Mutants[i], lines))
			}
		}
		out.Files[f.Path] = file
	}
	return out
}

func elementOf(m *prove.MutantReport, lines []string) elementMutant {
	e := elementMutant{ID: m.ID, MutatorName: m.Operator, Description: m.Description, Replacement: string(m.Edits[0].Text),
		Location: elementLocation{elementPositionOf(m.Start, lines), elementPositionOf(m.End, lines)}, Status: elementStatus[m.Status], StatusReason: m.Detail}
	if m.Status == prove.Undecided {
		e.StatusReason = string(m.Reason) + ": " + m.Detail
	}
	for _, id := range m.Killers {
		e.KilledBy = append(e.KilledBy, string(id))
	}
	for _, run := range m.Runs {
		e.Tests = max(e.Tests, run.Tests)
		e.Duration += time.Duration(run.Seconds * float64(time.Second)).Milliseconds()
	}
	return e
}

// elementPositionOf counts the columns before a position as a browser does.
func elementPositionOf(p prove.Position, lines []string) elementPosition {
	if p.Line > len(lines) {
		return elementPosition(p)
	}
	line := lines[p.Line-1]
	before := line[:min(p.Column-1, len(line))]
	return elementPosition{p.Line, len(utf16.Encode([]rune(before))) + 1}
}
