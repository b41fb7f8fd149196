package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"assay/harness"
	"assay/prove"
	"assay/report"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	s, err := c.Compile("../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

func TestEveryReportKeepsThePublishedSchema(t *testing.T) {
	bare := &prove.Report{Schema: prove.Schema, Base: example().Base, Head: example().Head, Claim: prove.Claim{Verdict: prove.ClaimCannotTell}}
	whole := example()
	whole.Whole = &prove.Whole{Result: "red", Red: []harness.TestID{"a"}, Trials: []prove.TrialReport{{ID: "whole-1", Purpose: "whole",
		Runs: []prove.RunReport{{Phase: harness.PhaseRun, Complete: true}}}}}
	for name, r := range map[string]*prove.Report{"full": example(), "bare": bare, "whole": whole} {
		if err := validate(t, schema(t), render(t, "json", r, report.Style{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryVerdictAndReasonIsInTheSchemaUnderItsOwn(t *testing.T) {
	s := schema(t)
	for _, v := range []prove.Verdict{prove.Proven, prove.NotProven, prove.Inconclusive, prove.NothingToProve} {
		for _, reason := range prove.ReasonsOf(v) {
			r := example()
			r.Findings[0].Verdict, r.Findings[0].Reason = v, reason
			if err := validate(t, s, render(t, "json", r, report.Style{})); err != nil {
				t.Errorf("%s %s: %v", v, reason, err)
			}
		}
	}
}

func TestTheSchemaRefusesWhatCannotBe(t *testing.T) {
	s := schema(t)
	good := string(render(t, "json", example(), report.Style{}))
	for what, edit := range map[string][2]string{
		"a reason of another verdict": {`"reason": "survived"`, `"reason": "assertion"`},
		"an unknown verdict":          {`"verdict": "PROVEN"`, `"verdict": "MAYBE"`},
		"a null list":                 {`"partners": []`, `"partners": null`},
		"a missing count":             {`"baseline_red"`, `"baseline_reds"`},
		"another schema":              {`assay.report/1`, `assay.report/2`},
		"a date that is none":         {`"started": "`, `"started": "yesterday`},
	} {
		bad := strings.Replace(good, edit[0], edit[1], 1)
		if bad == good {
			t.Fatalf("%s: %q is not in the report", what, edit[0])
		}
		if validate(t, s, []byte(bad)) == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}
