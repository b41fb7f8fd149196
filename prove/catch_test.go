package prove

import (
	"testing"

	"assay/harness"
)

func seen(ids ...harness.TestID) sighting {
	s := sighting{ran: true}
	for _, id := range ids {
		s.caught = append(s.caught, harness.Result{ID: id})
	}
	return s
}

func TestHowAMutantFaresUnderAChangeToTests(t *testing.T) {
	hung := sighting{ran: true, reason: TimedOut}
	mine := func(id harness.TestID) bool { return id == "mine" }
	for _, tt := range []struct {
		name string
		fact catchFact
		want catchKind
	}{
		{"nobody ran it", catchFact{}, uncaught},
		{"nobody caught it", catchFact{before: seen(), after: seen()}, uncaught},
		{"caught on both sides", catchFact{before: seen("mine"), after: seen("mine")}, kept},
		{"another affected test catches it now", catchFact{before: seen("mine"), after: seen("other")}, moved},
		{"a test that was not touched catches it", catchFact{before: seen("mine"), after: seen(), wide: seen("other")}, moved},
		{"a loss that was confirmed", catchFact{before: seen("mine"), after: seen(), wide: seen(), loss: true}, lost},
		{"a loss that was not", catchFact{before: seen("mine"), after: seen(), wide: seen()}, doubtful},
		{"head hangs with it", catchFact{before: seen("mine"), after: hung}, doubtful},
		{"head was not asked", catchFact{before: seen("mine")}, doubtful},
		{"lost by tests of another hunk", catchFact{before: seen("other"), after: seen(), wide: seen(), loss: true}, uncaught},
		{"caught at head only", catchFact{before: seen(), after: seen("mine")}, gained},
		{"at base only by a test of another hunk", catchFact{before: seen("other"), after: seen("mine")}, gained},
		{"base hung with it", catchFact{before: hung, after: seen("mine")}, untold},
		{"head hung with it", catchFact{before: seen(), after: hung}, untold},
	} {
		if got := tt.fact.sort(mine); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestAChangeToTestsIsJudgedByWhatItCatches(t *testing.T) {
	for _, tt := range []struct {
		name      string
		n         catchTally
		unreached Reason
		want      Reason
	}{
		{"nothing caught", catchTally{uncaught: 9}, "", NoKills},
		{"nothing known", catchTally{uncaught: 9, untold: 1}, "", NoKills},
		{"all kept", catchTally{kept: 2, uncaught: 1}, "", Kept},
		{"all moved", catchTally{moved: 2}, "", Kept},
		{"only gained", catchTally{gained: 1}, "", Gained},
		{"one lost of many", catchTally{kept: 9, gained: 9, lost: 1}, "", Weakened},
		{"lost and cut short", catchTally{lost: 1}, Budget, Weakened},
		{"one in doubt", catchTally{kept: 9, doubtful: 1}, "", NoKills},
		{"one in doubt, cut short", catchTally{kept: 9, doubtful: 1}, Budget, Budget},
		{"cut short before anything was caught", catchTally{}, Interrupted, Interrupted},
		{"cut short later", catchTally{kept: 1}, Budget, Kept},
	} {
		if got := judgeTests(tt.n, tt.unreached); got.Reason != tt.want || got.Verdict != tt.want.Of() {
			t.Errorf("%s: %s %s (%s), want %s", tt.name, got.Verdict, got.Reason, got.Detail, tt.want)
		}
	}
}
