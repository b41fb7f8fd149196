package pyprobe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/harness"
	"assay/probe"
)

// deadlines says what is seen under each kind of deadline.
var deadlines = map[string]string{
	"test_itimer_cuts_an_import_short":       "armed ITIMER_REAL; late endless.part, >endless; aborted endless.part by AssertionError under a deadline; clobbered replaced",
	"test_alarm_with_a_method":               "armed alarm; late endless_too; aborted endless_too by AssertionError under a deadline; clobbered replaced",
	"test_alarm":                             "armed alarm; late by_alarm; clobbered replaced",
	"test_virtual_timer":                     "armed ITIMER_VIRTUAL; late by_virtual",
	"test_timeout_of_its_own":                "armed pytest-timeout; late by_marker",
	"test_timeout_of_the_suite":              "",
	"test_replaced":                          "armed ITIMER_REAL; clobbered replaced",
	"test_cancelled":                         "clobbered cancelled",
	"test_armed_again":                       "armed ITIMER_REAL, ITIMER_REAL; clobbered replaced",
	"test_fired_before":                      "armed ITIMER_REAL; clobbered replaced",
	"test_interrupt_main":                    "aborted endless_by_main by KeyboardInterrupt",
	"test_exception_thrown_into_the_thread":  "aborted endless_by_throw by TimeoutError",
	"test_a_module_that_times_out_by_itself": "",
	"test_asyncio":                           "slow by_wait_for under asyncio.wait_for, by_timeout under asyncio.timeout",
	"test_future":                            "slow by_future under Future.result",
	"test_scopes":                            "slow by_trio under trio.fail_after, by_anyio under anyio.move_on_after",
	"test_child_process":                     "",
}

func TestEveryKindOfDeadlineIsSeenForWhatItCanDo(t *testing.T) {
	seen := record(t, project(t, "deadlines"), probe.Conditions{})
	for name, want := range deadlines {
		f := seen[name]
		if f.Status != harness.Passed {
			t.Errorf("%s: %s %s", name, f.Status, f.Message)
		}
		if got := story(f); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// story is what happened, without the time-out of the whole suite, under which
// every test of this project runs.
func story(f probe.Facts) string {
	var parts []string
	say := func(what string, words []string) {
		if len(words) > 0 {
			parts = append(parts, what+" "+strings.Join(words, ", "))
		}
	}
	say("armed", each(f.Armed, func(a probe.Arming) string { return a.By }))
	say("late", each(f.Late, func(l probe.First) string { return described([]probe.First{l}) }))
	say("slow", each(slices.DeleteFunc(f.Slow, func(l probe.First) bool { return !strings.HasPrefix(l.Module, "by_") }),
		func(l probe.First) string { return l.Module + " under " + l.By }))
	say("aborted", each(f.Aborted, func(a probe.Aborted) string {
		if a.Deadline {
			return fmt.Sprintf("%s by %s under a deadline", a.Module, a.By)
		}
		return a.Module + " by " + a.By
	}))
	say("clobbered", each(f.Clobbered, func(c probe.Clobber) string { return c.How }))
	return strings.Join(parts, "; ")
}

func each[T any](all []T, word func(T) string) []string {
	var words []string
	for _, one := range all {
		words = append(words, word(one))
	}
	return words
}
