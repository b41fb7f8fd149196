package harness

import (
	"os"
	"testing"
	"time"
)

func TestProcessorTimeIsReadBehindANameWithSpacesAndParentheses(t *testing.T) {
	line := "7 (a) b (c)) R 1 7 7 0 -1 4194304 100 0 0 0 12 3 40 5 20 0 1 0 100 0 0"
	if got, ok := parseCPU([]byte(line)); !ok || got != 600*time.Millisecond {
		t.Errorf("got %v, %v", got, ok)
	}
	for _, bad := range []string{"", "7 (a) R 1", "7 (a) R 1 7 7 0 -1 4194304 100 0 0 0 x 3 40 5 20"} {
		if got, ok := parseCPU([]byte(bad)); ok {
			t.Errorf("%q gave %v", bad, got)
		}
	}
	if _, known := CPUTime(os.Getpid()); !known {
		t.Error("our own time is not known")
	}
	if _, known := CPUTime(1 << 30); known {
		t.Error("the time of no process is known")
	}
}
