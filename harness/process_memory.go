package harness

import (
	"os"
	"sync"
	"time"
)

// memoryPeriod is how often the resident memory of a group is looked at. One
// look reads a line of every process of the machine: about a millisecond for a
// few hundred.
const memoryPeriod = 200 * time.Millisecond

// A memoryWatch kills a process group that grows above its ceiling.
type memoryWatch struct {
	quit chan struct{}
	done sync.WaitGroup
	peak int64
	over bool
}

// watchMemory begins to watch the group that p leads. Without a ceiling it
// watches nothing.
func watchMemory(p *os.Process, ceiling int64) *memoryWatch {
	w := &memoryWatch{quit: make(chan struct{})}
	if ceiling > 0 {
		w.done.Go(func() { w.watch(p, ceiling) })
	}
	return w
}

func (w *memoryWatch) watch(p *os.Process, ceiling int64) {
	tick := time.NewTicker(memoryPeriod)
	defer tick.Stop()
	for {
		w.peak = max(w.peak, groupMemory(p.Pid))
		if w.peak > ceiling {
			w.over = true
			_ = killGroup(p) // it may have ended meanwhile
			return
		}
		select {
		case <-w.quit:
			return
		case <-tick.C:
		}
	}
}

// stop ends the watch and returns what it saw.
func (w *memoryWatch) stop() (peak int64, over bool) {
	close(w.quit)
	w.done.Wait()
	return w.peak, w.over
}
