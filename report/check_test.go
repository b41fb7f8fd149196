package report_test

import (
	"bytes"
	"strings"
	"testing"

	"assay/report"
)

func TestWhatIsNoReportIsRefusedInOneSentence(t *testing.T) {
	good := string(render(t, "json", example(), report.Style{}))
	swap := func(old, neu string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the example lacks %s", old)
		}
		return strings.Replace(good, old, neu, 1)
	}
	for text, want := range map[string]string{
		`{"schema":"assay.report/1"}`:                                                          "no base or no head",
		`{"schema":"assay.report/1","base":"b","head":"h","findings":[null]}`:                  "finding 1: it has no id",
		`{"schema":"assay.report/1","base":"b","head":"h","findings":{}}`:                      "cannot unmarshal object",
		`{"schema":"assay.report/1","base":"b","head":"h","findings":[]}`:                      `verdict of the claim is ""`,
		`{"schema":"assay.report/1","base":"b","head":"h","findings":[{"id":"a","file":"f"}]}`: `"" is no reason for INCONCLUSIVE`,
		`null`:                             `schema ""`,
		`[]`:                               "cannot unmarshal array",
		swap(`"proven": 2`, `"proven": 3`): `its counts are "3 PROVEN`,
		swap(`"verdict": "PROVEN"`, `"verdict": "NOT_PROVEN"`): `"assertion" is no reason for NOT_PROVEN`,
		swap(`"verdict": "PROVEN"`, `"verdict": "LIKELY"`):     `unknown verdict "LIKELY"`,
		swap(`"file": "calc/add.go"`, `"file": ""`):            "it has no file",
		swap(`"file": "calc/add.go"`, `"file": "\"\\9"`):       "no path as git quotes it",
		swap(`"start": 10`, `"start": -10`):                    "its lines are -10,2",
		swap(`"verdict": "confirmed"`, `"verdict": "sure"`):    `verdict of the claim is "sure"`,
		swap(`"verdict": "fails-without"`, `"verdict": ""`):    `TestAdd is ""`,
		swap(`"name": "go"`, `"name": ""`):                     "language 1 of the baseline has no name",
	} {
		_, err := report.Read(bytes.NewReader([]byte(text)))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80s…\nis answered %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":"assay.report/1","base":"b","head":"h","findings":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := report.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, format := range report.Formats() {
			if err := report.Write(&bytes.Buffer{}, format, r, report.Style{Width: 80}); err != nil {
				t.Errorf("a report that was read cannot be written as %s: %v", format, err)
			}
		}
	})
}
