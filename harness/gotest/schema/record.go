package schema

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Record is what one process, run with RecordVar, came by at head.
type Record struct {
	// Hits are, by variant, the top-level tests that came by a guard of it;
	// "" is code that ran outside of any test.
	Hits map[int]map[string]bool
	// Steps are guards and rounds of loops, by the top-level test that ran
	// while they were come by; "" is code that ran outside of any.
	Steps map[string]uint64
}

// ReadRecord reads a record: lines "hit VARIANT TEST" and "steps N TEST".
// Processes that a test started itself have written to the same record.
func ReadRecord(r io.Reader) (Record, error) {
	rec := Record{Hits: map[int]map[string]bool{}, Steps: map[string]uint64{}}
	for in := bufio.NewScanner(r); ; {
		if !in.Scan() {
			return rec, in.Err()
		}
		verb, rest, _ := strings.Cut(in.Text(), " ")
		number, test, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseUint(number, 10, 63)
		switch {
		case err != nil:
			return rec, fmt.Errorf("read a record of hits: %q: %w", in.Text(), err)
		case verb == "steps":
			rec.Steps[test] += n
		case verb == "hit":
			k := int(n)
			if rec.Hits[k] == nil {
				rec.Hits[k] = map[string]bool{}
			}
			rec.Hits[k][test] = true
		default:
			return rec, fmt.Errorf("read a record of hits: %q is no line of one", in.Text())
		}
	}
}
