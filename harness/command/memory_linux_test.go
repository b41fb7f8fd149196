package command_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"assay/harness"
	"assay/harness/command"
)

func TestARunAboveItsMemoryCeilingSaysSo(t *testing.T) {
	p := &project{t: t, dir: t.TempDir()}
	p.write("t.sh", "#!/bin/sh\nexit 0")
	s, err := command.New(command.Config{Command: "./t.sh"}).Open(t.Context(), p.dir, harness.Options{Env: os.Environ(), Scratch: t.TempDir(), Memory: 64 << 20, Hang: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	p.session = s
	p.baseline()
	p.write("t.sh", "#!/bin/sh\n"+`awk 'BEGIN { s = "x"; while (1) { s = s s; if (length(s) > 200000000) while (1) {} } }'`)
	if o := p.run(); o.Complete || !strings.Contains(o.Trouble, "memory") || o.Ran() != 0 {
		t.Errorf("%+v", o)
	}
}
