package pytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/harness"
)

// A request is what one process is asked to do. The plugin reads it as JSON.
type request struct {
	Origin   string           `json:"origin"`
	Tree     string           `json:"tree"`
	Records  string           `json:"records"`
	BaseTemp string           `json:"basetemp"`
	Cache    string           `json:"cache"`
	Codes    string           `json:"codes"` // where compiled code is kept by its text
	Temp     string           `json:"tmp"`   // for temporary files of a fork
	EmptyIni string           `json:"empty_ini"`
	Flags    []string         `json:"flags"`   // further flags of pytest
	Files    []string         `json:"files"`   // what to collect; empty: what the project says
	Probes   []string         `json:"probes"`  // sources to load with probes
	Watch    []string         `json:"watch"`   // files whose opening is recorded
	Select   []harness.TestID `json:"select"`  // nil: everything
	Exclude  []harness.TestID `json:"exclude"` // with Select nil: but these
	First    []harness.TestID `json:"first"`   // of Select: what runs before the others
	Terse    bool             `json:"terse"`   // nobody reads the output
	Broken   []string         `json:"broken"`  // what does not collect at head, and stops no run
	Strict   bool             `json:"strict"`  // run nothing unless all of Select was collected
	FirstRed bool             `json:"first_red"`
	Narrow   bool             `json:"narrow"` // leave out every test file but Only
	Only     []string         `json:"only"`
	Focus    []place          `json:"focus"`  // with Select nil: only the tests of these declarations; empty: all
	Zygote   bool             `json:"zygote"` // collect, then fork for every request
	Bare     bool             `json:"bare"`   // load pytest and its plugins, then fork for every request
	Nonce    string           `json:"nonce"`  // marks a zygote's replies

	patience patience       // how long each test may take
	guest    *harness.Guest // a plugin of another room; nil: none
}

// A running is one process that came to its end.
type running struct {
	log *runLog
	end harness.Exited
	env []string // what it needed beside the user's environment
}

// launch runs one process in dir. Everything it writes lies in a directory of
// its own below scratch, which is removed when it ended.
func (s *session) launch(ctx context.Context, dir, scratch string, req request, limit time.Duration) (running, error) {
	own, err := os.MkdirTemp(scratch, "py-")
	if err != nil {
		return running{}, fmt.Errorf("make room for a run of pytest: %w", err)
	}
	// A test may leave directories that nobody can empty; the caller removes
	// scratch as a whole and reports what stays.
	defer func() { _ = os.RemoveAll(own) }()
	job, err := s.prepare(dir, own, &req)
	if err != nil {
		return running{}, fmt.Errorf("prepare a run of pytest: %w", err)
	}
	env, needed := environ(s.options, dir, own, s.plugin.path)
	if req.guest != nil {
		env = harness.Setenv(env, append([]string{"PYTHONPATH=" + join([]string{harness.Getenv(env, "PYTHONPATH"), req.guest.Path})}, req.guest.Env...)...)
	}
	run, hang := context.WithCancelCause(ctx)
	defer hang(nil)
	if req.patience.clock != nil {
		go newWatchdog(req.Records, patience{clock: req.patience.clock}).guard(run, hang)
	}
	end, err := harness.Start(run, harness.Process{
		Argv: []string{s.python, "-m", "assay_pytest", job}, Dir: dir, Env: env, Limit: limit, Memory: s.options.Memory})
	if errors.Is(context.Cause(run), errHang) && ctx.Err() == nil {
		end.TimedOut, err = true, nil
	}
	if err != nil {
		return running{}, err
	}
	log, err := readRecords(req.Records)
	return running{log: log, end: end, env: needed}, err
}

// prepare makes the directories of a run and writes its request.
func (s *session) prepare(dir, own string, req *request) (job string, err error) {
	if err := os.Mkdir(filepath.Join(own, "tmp"), 0o755); err != nil {
		return "", err
	}
	req.Origin, req.Tree, req.EmptyIni = s.options.Origin, dir, s.plugin.empty
	req.Records = filepath.Join(own, "records")
	req.BaseTemp, req.Cache = filepath.Join(own, "base"), filepath.Join(own, "cache")
	req.Codes, req.Temp = s.plugin.codes, filepath.Join(own, "tmp")
	req.Flags = s.options.Flags
	if req.guest != nil {
		req.Flags = append(slices.Clone(req.Flags), "-p", req.guest.Plugin)
	}
	text, err := json.Marshal(req)
	if err != nil {
		return "", err
	}
	job = filepath.Join(own, "job.json")
	return job, os.WriteFile(job, text, 0o644)
}

// readRecords reads what the plugin wrote; a process that died before it wrote
// anything has an empty log.
func readRecords(path string) (*runLog, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return &runLog{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	return readLog(f)
}
