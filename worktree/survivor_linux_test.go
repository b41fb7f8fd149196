package worktree_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assay/worktree"
)

// daemon starts a process in a session of its own, as a test of a project may,
// with TMPDIR below the run directory that a tree lies in.
func daemon(t *testing.T, tree string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sleep", "3600")
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(filepath.Dir(filepath.Dir(tree)), "t0", "tmp"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// wantEnd ends the process politely and asks how it ended: one that was killed
// before ended by SIGKILL.
func wantEnd(t *testing.T, cmd *exec.Cmd, want syscall.Signal) {
	t.Helper()
	_ = cmd.Process.Signal(syscall.SIGTERM) // no error to us when it has ended
	_ = cmd.Wait()                          // says what is asked for next
	if got := cmd.ProcessState.Sys().(syscall.WaitStatus).Signal(); got != want {
		t.Errorf("the process ended by %q, want %q", got, want)
	}
}

func TestClosingAPoolEndsWhatItsTestsLeftAndNothingElse(t *testing.T) {
	r := newRepo(t)
	r.commit("head")
	cache := options(t)
	mine, err := worktree.NewPool(t.Context(), r.open(), head(t, r), 1, cache)
	if err != nil {
		t.Fatal(err)
	}
	left := daemon(t, acquire(t, mine).Dir())
	neighbour := daemon(t, acquire(t, newPool(t, r.open(), head(t, r), 1, cache)).Dir())
	if err := mine.Close(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, left, syscall.SIGKILL)
	wantEnd(t, neighbour, syscall.SIGTERM)
}

func TestASweepEndsWhatAKilledRunLeftAndNothingElse(t *testing.T) {
	r := newRepo(t)
	r.write("a.txt", "a\n")
	r.commit("head")
	opts := options(t)
	victim := exec.Command(os.Args[0])
	victim.Env = append(os.Environ(), "ASSAY_TEST_VICTIM="+r.dir, "ASSAY_TEST_CACHE="+opts.CacheDir)
	out, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	left := daemon(t, strings.TrimPrefix(strings.TrimSpace(line), "ready "))
	neighbour := daemon(t, acquire(t, newPool(t, r.open(), head(t, r), 1, opts)).Dir())
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait() // says that it was killed
	if _, err := worktree.Sweep(t.Context(), opts.CacheDir); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, left, syscall.SIGKILL)
	wantEnd(t, neighbour, syscall.SIGTERM)
}
