package report

import (
	"io"
	"time"

	"assay/prove"
)

// The mutation testing report schema, version 2, that other tools and viewers
// read: https://github.com/stryker-mutator/mutation-testing-elements. A test
// validates what is written against its published text.
type (
	elements struct {
		SchemaVersion string                 `json:"schemaVersion"`
		Thresholds    elementsThresholds     `json:"thresholds"`
		Files         map[string]elementFile `json:"files"`
		Framework     elementsFramework      `json:"framework"`
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
		Start prove.Position `json:"start"`
		End   prove.Position `json:"end"`
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
	out := elements{SchemaVersion: "2", Thresholds: elementsThresholds{High: 80, Low: 60},
		Files: map[string]elementFile{}, Framework: elementsFramework{"assay", r.Tool.Version}}
	for _, f := range r.Sources {
		file := elementFile{Language: f.Language, Source: string(f.Source), Mutants: []elementMutant{}}
		for i := range r.Mutants {
			if r.Mutants[i].File == f.Path {
				file.Mutants = append(file.Mutants, elementOf(&r.Mutants[i]))
			}
		}
		out.Files[f.Path] = file
	}
	return indented(w, out)
}

func elementOf(m *prove.MutantReport) elementMutant {
	e := elementMutant{ID: m.ID, MutatorName: m.Operator, Description: m.Description, Replacement: string(m.Edits[0].Text),
		Location: elementLocation{m.Start, m.End}, Status: elementStatus[m.Status], StatusReason: m.Detail}
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
