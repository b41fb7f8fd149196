//go:build unix

package command_test

import (
	"testing"

	"assay/change"
	"assay/harness"
	"assay/harness/command"
	"assay/harness/harnesstest"
)

const lib = `add() {
  echo $(($1 + $2))
}
halve() {
  echo $(($1 / 2))
}
boot() {
  booted=yes
}
`

// plainTest fails the way most scripts do: a line of text and an exit code.
const plainTest = `. ./lib.sh
boot
[ "$(add 1 2)" = 3 ] || { echo "FAIL: add"; exit 1; }
[ "$(halve 4)" = 2 ] || { echo "FAIL: halve"; exit 1; }
`

// junitTest writes a report when it comes to its end. A test that exits 9 is
// an error, another code a failure.
const junitTest = `. ./lib.sh
boot
status=0
report='<?xml version="1.0"?><testsuites><testsuite name="calc">'
run() {
  out=$("$1" 2>&1); code=$?
  case $code in
  0) body= ;;
  8) body='<skipped/>' ;;
  9) body="<error type=\"crash\" message=\"crashed\">$out</error>"; status=1 ;;
  *) body="<failure type=\"check\" message=\"not equal\">$out</failure>"; status=1 ;;
  esac
  report="$report<testcase classname=\"t\" name=\"$1\" time=\"0.01\">$body</testcase>"
}
adds() { sum=$(add 1 2) || exit $?; [ "$sum" = 3 ] || { echo "test.sh:17: got $sum"; exit 1; }; }
halves() { half=$(halve 4) || { echo "lib.sh:5: $half"; exit 9; }; [ "$half" = 2 ]; }
red() { echo "test.sh:19: always"; exit 1; }
skips() { exit 8; }
flaky() { f=$HARNESSTEST_STATE/flaky; if [ -e "$f" ]; then rm "$f"; exit 1; fi; : > "$f"; }
for t in adds halves red skips flaky; do run $t; done
mkdir -p out
echo "$report</testsuite></testsuites>" > out/report.xml
exit $status
`

func breaks(test harness.TestID, assertion, crash harness.RedKind) harnesstest.Fixture {
	return harnesstest.Fixture{
		Target:    harness.Target{Path: "lib.sh", Lines: []change.Span{{Start: 1, Lines: 3}}},
		Assertion: harnesstest.Break{Path: "lib.sh", Old: "$1 + $2", New: "$1 - $2", Test: test, Kind: assertion},
		Panic:     harnesstest.Break{Path: "lib.sh", Old: "echo $(($1 / 2))", New: "echo boom; exit 9", Kind: crash},
		NoBuild:   harnesstest.Break{Path: "lib.sh", Old: "add() {", New: "add() (( {", Phase: harness.PhaseBuild},
		Hang:      harnesstest.Break{Path: "lib.sh", Old: "booted=yes", New: `echo $$ > "$HARNESSTEST_STARTED"; while :; do sleep 1000; done`, Test: test},
		Unnoticed: harnesstest.Break{Path: "lib.sh", Old: "booted=yes", New: "booted=no"},
	}
}

func TestACommandJudgedByItsExitCodeConforms(t *testing.T) {
	f := breaks("sh test.sh", harness.RedCommand, harness.RedCommand)
	f.Panic.Test = "sh test.sh"
	f.Harness = command.New(command.Config{Command: "sh test.sh"})
	f.Files = map[string]string{"lib.sh": lib, "test.sh": plainTest}
	f.Green = []harness.TestID{"sh test.sh"}
	harnesstest.Run(t, f)
}

func TestACommandThatWritesJUnitConforms(t *testing.T) {
	f := breaks("calc/t.adds", harness.RedAssertion, harness.RedError)
	f.Panic.Test = "calc/t.halves"
	f.Harness = command.New(command.Config{Argv: []string{"sh", "test.sh"}, JUnit: []string{"out/*.xml"}})
	f.Files = map[string]string{"lib.sh": lib, "test.sh": junitTest}
	f.Green = []harness.TestID{"calc/t.adds", "calc/t.halves"}
	f.Red, f.Flaky, f.Skipped = "calc/t.red", "calc/t.flaky", "calc/t.skips"
	f.Exit = harnesstest.Break{Path: "lib.sh", Old: "booted=yes", New: "exit 0", Test: "calc/t.adds"}
	f.HangUnnamed = true
	harnesstest.Run(t, f)
}
