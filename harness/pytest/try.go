package pytest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/change"
	"assay/harness"
)

// Try runs a selection in a fork of the tree's warm process, the edits put into
// its functions. It is done only when the edits may be put there (see
// plugin/swap.py), when no test got at the disk, and when a fork without them is
// green: one of the same tests, or of those that were red where the job ends at
// the first. Without edits it is such a run at head.
func (s *session) Try(ctx context.Context, job harness.Job) (harness.Outcome, bool, error) {
	if !canFork || s.warmth.stays(job.Edits) != "" || s.getsAtDisk(job.Selection.Tests) {
		return harness.Outcome{}, false, nil
	}
	slot := s.warmth.slot(job.Dir)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	z, err := s.heat(ctx, slot, job)
	if z == nil || err != nil {
		return harness.Outcome{}, false, err
	}
	if len(job.Edits) == 0 || !job.FirstRed {
		return s.tryAfterHead(ctx, z, job)
	}
	o, done, err := s.tryOn(ctx, z, job)
	if err != nil || !done {
		return o, false, err
	}
	if o.Complete && len(o.Red()) == 0 {
		return o, true, nil // there is no red that head could have too
	}
	// It may have ended at the first red. That test is green at head as one of
	// all; here it is asked whether forks make it red by itself.
	judged := job
	judged.Selection.Tests = s.selected(job, o)
	if len(judged.Selection.Tests) == 0 {
		return o, false, nil
	}
	green, err := s.greenAtHead(ctx, z, judged)
	return o, green, err
}

// selected are the selected tests that were red, or all that were reported when
// none was.
func (s *session) selected(job harness.Job, o harness.Outcome) []harness.TestID {
	var reds []harness.TestID
	for _, r := range o.Red() {
		if s.byID[r.ID] == nil || !slices.Contains(job.Selection.Tests, r.ID) {
			return o.Reported()
		}
		reds = append(reds, r.ID)
	}
	if len(reds) == 0 {
		return o.Reported()
	}
	return reds
}

// ChecksHead implements harness.HeadChecker.
func (s *session) ChecksHead() {}

// tryAfterHead makes a run once the same selection was green without the edits.
func (s *session) tryAfterHead(ctx context.Context, z *zygote, job harness.Job) (harness.Outcome, bool, error) {
	if len(job.Edits) > 0 {
		if green, err := s.greenAtHead(ctx, z, job); err != nil || !green {
			return harness.Outcome{}, false, err
		}
	}
	return s.tryOn(ctx, z, job)
}

// greenAtHead reports whether a selection is green in a fork without edits. It
// is run once, and not at all when it is the beginning of one that was.
func (s *session) greenAtHead(ctx context.Context, z *zygote, job harness.Job) (bool, error) {
	key := selectionKey(job.Selection.Tests)
	if _, known := z.green[key]; !known {
		if slices.ContainsFunc(z.runs, func(run []int) bool { return begins(run, s.order(job.Selection.Tests)) }) {
			return true, nil
		}
		if _, done, err := s.tryOn(ctx, z, unedited(job)); err != nil || !done {
			return false, err
		}
	}
	return z.green[key], nil
}

// begins reports whether a run begins with the tests of another.
func begins(run, other []int) bool {
	return len(other) <= len(run) && slices.Equal(run[:len(other)], other)
}

// order is where the tests stand among all, in the order in which they run.
func (s *session) order(ids []harness.TestID) []int {
	var places []int
	for _, id := range ids {
		if t := s.byID[id]; t != nil {
			places = append(places, t.number)
		}
	}
	slices.Sort(places)
	return places
}

// unedited is the same run at head.
func unedited(job harness.Job) harness.Job {
	job.Edits, job.FirstRed, job.First = nil, false, nil
	return job
}

func selectionKey(ids []harness.TestID) string {
	var key strings.Builder
	for _, id := range ids {
		key.WriteString(string(id) + "\x00")
	}
	return key.String()
}

// getsAtDisk reports whether a selection holds a test that is known to start
// processes or to open a changed file.
func (s *session) getsAtDisk(ids []harness.TestID) bool {
	s.warmth.mu.Lock()
	defer s.warmth.mu.Unlock()
	return len(ids) == 0 || slices.ContainsFunc(ids, func(id harness.TestID) bool {
		return s.warmth.cold[id] || s.reach != nil && slices.Contains(s.reach.spawners, s.byID[id])
	})
}

// heat returns a zygote that can run the job, or nil where there is none.
func (s *session) heat(ctx context.Context, slot *slot, job harness.Job) (*zygote, error) {
	files := s.files(job.Selection.Tests)
	if slot.off || files == nil {
		return nil, nil
	}
	if slot.zygote != nil && slot.zygote.fits(files) {
		return slot.zygote, nil
	}
	if slot.zygote != nil {
		files = append(files, slot.zygote.files...)
		if err := slot.zygote.close(); err != nil {
			s.warmth.note("a warm pytest process ended: " + err.Error())
		}
		slot.zygote = nil
		slot.deaths++
	}
	if slot.off = slot.deaths > manyDeaths; slot.off {
		s.warmth.note(fmt.Sprintf("warm pytest processes ended %d times; every trial is a process of its own from then on", slot.deaths))
		return nil, nil
	}
	z, err := s.warmUp(ctx, job.Dir, s.collectable(files))
	if err != nil {
		return nil, err
	}
	return s.usable(slot, z)
}

// collectable are the files, and those that the prepared variants will want, sorted.
func (s *session) collectable(files []string) []string {
	s.warmth.mu.Lock()
	defer s.warmth.mu.Unlock()
	all := slices.Clone(files)
	for file := range s.warmth.files {
		all = append(all, file)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// usable keeps a zygote that can be forked from.
func (s *session) usable(slot *slot, z *zygote) (*zygote, error) {
	why := z.ready.Why
	if len(z.ready.Threads) > 0 {
		why = "threads are alive once the tests are collected: " + strings.Join(s.owners(z.ready.Threads), ", ")
	}
	if why == "" {
		slot.zygote = z
		return z, nil
	}
	slot.off = true
	s.warmth.note("every trial is a process of its own: " + why)
	return nil, z.close()
}

// owners are the files that started threads, as a user knows them.
func (s *session) owners(files []string) []string {
	var names []string
	for _, file := range files {
		if file == "" {
			file = "a conftest or a plugin"
		}
		names = append(names, filepath.Base(file))
	}
	return names
}

// tryOn makes one fork and reads what came of it.
func (s *session) tryOn(ctx context.Context, z *zygote, job harness.Job) (harness.Outcome, bool, error) {
	own, err := os.MkdirTemp(job.Scratch, "py-")
	if err != nil {
		return harness.Outcome{}, false, fmt.Errorf("make room for a fork of pytest: %w", err)
	}
	defer func() { _ = os.RemoveAll(own) }() // as in launch
	t, err := s.trial(own, job)
	if err != nil {
		return harness.Outcome{}, false, fmt.Errorf("prepare a fork of pytest: %w", err)
	}
	name := filepath.Join(own, "job.json")
	if err := writeJob(name, t); err != nil {
		return harness.Outcome{}, false, fmt.Errorf("prepare a fork of pytest: %w", err)
	}
	end, lost, err := z.fork(ctx, name, t.Records, s.allowance()+s.limit(job), s.patience(job))
	if err != nil || lost {
		return harness.Outcome{}, false, err
	}
	log, err := readRecords(t.Records)
	if err != nil {
		return harness.Outcome{}, false, err
	}
	return s.judgeFork(z, job, running{log: log, end: end})
}

func writeJob(name string, t trial) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// judgeFork decides whether a fork may stand for a plain run.
func (s *session) judgeFork(z *zygote, job harness.Job, ran running) (harness.Outcome, bool, error) {
	switch {
	case ran.log.Refused != "":
		s.warmth.refuse(job.Edits, ran.log.Refused)
		return harness.Outcome{}, false, nil
	case ran.log.Escaped != "":
		if ran.log.running != nil && len(job.Edits) == 0 {
			s.warmth.chill(ran.log.running.ID)
		}
		s.warmth.refuse(job.Edits, ran.log.Escaped)
		return harness.Outcome{}, false, nil
	case ran.log.Missing > 0 || !ran.log.Collected:
		return harness.Outcome{}, false, nil
	}
	_, ran.env = environ(s.options, job.Dir, "", "")
	o := outcome(ran, job.Selection.Tests)
	o.Argv = s.command(job.Selection.Tests)
	if len(job.Edits) == 0 {
		green := o.Complete && len(o.Red()) == 0 && len(o.Strays) == 0
		z.green[selectionKey(job.Selection.Tests)] = green
		if green {
			z.runs = append(z.runs, s.order(job.Selection.Tests))
		}
	}
	return o, true, nil
}

// trial makes the directories of a fork and writes its edited sources.
func (s *session) trial(own string, job harness.Job) (trial, error) {
	t := trial{Records: filepath.Join(own, "records"), Temp: filepath.Join(own, "tmp"), BaseTemp: filepath.Join(own, "base"),
		Cache: filepath.Join(own, "cache"), Select: job.Selection.Tests, First: job.First, FirstRed: job.FirstRed, Terse: terse(job), Swaps: []swap{}, Watch: []string{}}
	if err := os.Mkdir(t.Temp, 0o755); err != nil {
		return trial{}, err
	}
	if len(job.Edits) == 0 {
		t.Watch = s.warmth.watched(job.Dir)
	}
	byPath := map[string][]change.Edit{}
	for _, e := range job.Edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	for path, edits := range byPath {
		s.warmth.mu.Lock()
		head := s.warmth.heads[path]
		s.warmth.mu.Unlock()
		text, err := change.Apply(head, edits)
		if err != nil {
			return trial{}, err
		}
		sum := sha256.Sum256(head)
		one := swap{Path: filepath.Join(job.Dir, filepath.FromSlash(path)), Old: hex.EncodeToString(sum[:]),
			New: filepath.Join(own, fmt.Sprintf("edited-%d", len(t.Swaps)))}
		if err := os.WriteFile(one.New, text, 0o644); err != nil {
			return trial{}, err
		}
		t.Swaps, t.Watch = append(t.Swaps, one), append(t.Watch, one.Path)
	}
	return t, nil
}
