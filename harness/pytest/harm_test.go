package pytest_test

import (
	"testing"
	"time"

	"assay/harness"
)

// What a test may do to its process. The edit makes the function do it; a fork,
// and one of a bare process, has to end as a fresh process does, and the next
// one must not notice.
func TestHarmDoneInAForkStaysThere(t *testing.T) {
	t.Parallel()
	p := open(t, "harm", settings{targets: watched("lib.py"), hang: 8 * time.Second}).sound()
	defer p.close()
	alone := open(t, "harm", settings{targets: watched("lib.py"), hang: 8 * time.Second, fresh: true}).sound()
	defer alone.close()
	all := p.everything()
	head := p.run(all, "", "", "")
	for _, c := range []struct {
		what, code string
		forked     bool
	}{
		{"ends with 0", "os._exit(0)", true},
		{"a segmentation fault", "import ctypes; ctypes.string_at(0)", true},
		{"a signal", "os.kill(os.getpid(), 9)", true},
		{"the session is ended", "import pytest; pytest.exit('enough')", true},
		{"a thread stays behind", "import threading; threading.Thread(target=time.sleep, args=(999,)).start()", true},
		{"a lot of output", "os.write(1, b'x' * 1000000 * 30); print('y' * 1000000)", true},
		{"another directory", "os.chdir('/')", true},
		{"its temporary directory is gone", "import shutil, tempfile; shutil.rmtree(tempfile.gettempdir())", true},
		{"outputs are closed", "os.close(1); os.close(2)", true},
		{"a limit on files", "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))", true},
		{"a hang", "time.sleep(999)", true},
		{"a session of its own", "os.setsid() if os.getpid() != os.getpgid(0) else None", true},
		{"too much memory asked for", "bytearray(1 << 60)", true},
		{"a process is forked", "[os.fork() for _ in range(4)]", false},
		{"a process is started", "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])", false},
		{"multiprocessing", "import multiprocessing as m; m.get_context('spawn').Process(target=print).start()", false},
		{"a shell", "os.system('true')", false},
		{"the source is read", "open(__file__).read()", false},
		{"the warm process is killed", "os.kill(os.getppid(), 9)", false},
	} {
		o, done := p.try(all, p.splice("lib.py", "pass  # here", c.code))
		if done != c.forked {
			t.Errorf("%s: forked %v, want %v\n%s", c.what, done, c.forked, o.Output)
		}
		if done {
			bare, want := p.run(all, "lib.py", "pass  # here", c.code), alone.run(all, "lib.py", "pass  # here", c.code)
			if facts(o) != facts(want) || facts(bare) != facts(want) {
				t.Errorf("%s: fork:\n%s\nof a bare process:\n%s\nfresh:\n%s", c.what, facts(o), facts(bare), facts(want))
			}
		}
		if o, done := p.tryHead(all); !done || facts(o) != facts(head) {
			t.Fatalf("after %s: done %v\n%s", c.what, done, facts(o))
		}
	}
}

// tryHead tries a selection without edits.
func (p *project) tryHead(sel harness.Selection) (harness.Outcome, bool) {
	p.t.Helper()
	o, done, err := p.Session.(harness.Preparer).Try(p.t.Context(), harness.Job{Dir: p.dir, Selection: sel, Scratch: p.t.TempDir()})
	if err != nil {
		p.t.Fatal(err)
	}
	return o, done
}
