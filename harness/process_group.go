package harness

import "os"

// A Group is the process group of a process that not we started but a process
// of ours: the fork of a warm interpreter. Whoever learns of it has to end it.
type Group int

// Kill ends every process of the group. A group that is gone is no error.
func (g Group) Kill() { _ = killGroup(&os.Process{Pid: int(g)}) }

// Watch kills the group when its resident memory is found above ceiling, in
// bytes, as Process.Memory does; 0 watches nothing. The returned function ends
// the watch and says what it saw; it must be called.
func (g Group) Watch(ceiling int64) (stop func() (peak int64, over bool)) {
	return watchMemory(&os.Process{Pid: int(g)}, ceiling).stop
}
