// Probes measures the recording of assay's Python probes on a project:
//
//	probes -python PY -dir TREE [-timeout 900] [-runs 5] [-single NODE] [-instructions]
//
// With pytest-timeout in PY every test runs under a deadline. What is said to be
// late is compared with what sys.modules gained during the test, as a plugin
// that knows nothing of imports sees it; half-imported modules are counted.
// With -runs the CPU seconds of the suite with and without the recording are
// compared, in turn, and with -single those of one probe and of one plain
// pytest process of the same test. -instructions compares what is executed, under
// valgrind. It exits 1 when anything is falsely late.
package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"assay/harness"
	"assay/harness/pytest"
	"assay/probe"
	"assay/probe/pyprobe"
)

//go:embed oracle.py
var oracle []byte

type settings struct {
	python, dir, single string
	timeout, runs       int
	instructions        bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var s settings
	flag.StringVar(&s.python, "python", "python3", "the interpreter that has pytest")
	flag.StringVar(&s.dir, "dir", ".", "a tree whose tests are green")
	flag.IntVar(&s.timeout, "timeout", 900, "seconds of the deadline that every test runs under")
	flag.IntVar(&s.runs, "runs", 0, "how often to compare the suite's CPU time")
	flag.StringVar(&s.single, "single", "", "a node id to compare one probe with one pytest process")
	flag.BoolVar(&s.instructions, "instructions", false, "compare the instructions of the suite instead")
	flag.Parse()
	err := measure(ctx, s)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "probes:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, s settings) (err error) {
	scratch, err := os.MkdirTemp("", "assay-probes-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	if s.instructions {
		return instructions(ctx, s, scratch)
	}
	if s.single != "" {
		return single(ctx, s, scratch)
	}
	if s.runs > 0 {
		return overhead(ctx, s, scratch)
	}
	return study(ctx, s, scratch)
}

// open opens the project; flags are further ones of pytest.
func open(ctx context.Context, s settings, scratch string, env []string, flags ...string) (probe.Place, error) {
	session, err := pytest.New(pytest.Config{Python: s.python}).Open(ctx, s.dir, harness.Options{Origin: s.dir, Env: env, Scratch: scratch, Flags: flags})
	return probe.Place{Dir: s.dir, Scratch: scratch, Session: session, Env: env}, err
}

// study compares what is said to be late with what the oracle saw.
func study(ctx context.Context, s settings, scratch string) error {
	seen := filepath.Join(scratch, "oracle.jsonl")
	plugins := filepath.Join(scratch, "oracle")
	if err := errors.Join(os.Mkdir(plugins, 0o755), os.WriteFile(filepath.Join(plugins, "assay_oracle.py"), oracle, 0o644)); err != nil {
		return err
	}
	env := harness.Setenv(os.Environ(), "ASSAY_ORACLE="+seen, "PYTHONPATH="+plugins)
	place, err := open(ctx, s, scratch, env, "-p", "assay_oracle", "-o", fmt.Sprintf("timeout=%d", s.timeout))
	if err != nil {
		return err
	}
	d, err := pyprobe.New().Discover(ctx, place, nil)
	if err != nil {
		return err
	}
	if d.Trouble != "" {
		fmt.Println("trouble:", d.Trouble)
	}
	gained, err := readOracle(seen)
	if err != nil {
		return err
	}
	return compare(d, gained)
}

// readOracle reads which modules each test gained, and which of them came from
// a loader.
func readOracle(path string) (map[harness.TestID]map[string]bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	gained := map[harness.TestID]map[string]bool{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var line struct {
			Node harness.TestID
			New  [][2]any
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			return nil, err
		}
		if gained[line.Node] == nil {
			gained[line.Node] = map[string]bool{}
		}
		for _, n := range line.New {
			gained[line.Node][n[0].(string)] = n[1].(bool)
		}
	}
	return gained, in.Err()
}

// compare prints the figures; anything falsely late is an error.
func compare(d probe.Discovery, gained map[harness.TestID]map[string]bool) error {
	armed, late, again, missing, executed, falsely, missed, half, own := 0, 0, 0, 0, 0, 0, 0, 0, 0
	for _, f := range d.Tests {
		if len(f.Facts.Armings(true)) > 0 {
			armed++
		}
		half += len(f.Facts.HalfImported)
		said := map[string]bool{}
		for _, l := range slices.Concat(f.Facts.Late, f.Facts.Slow, f.Facts.UnderSuite) {
			said[l.Module] = true
			if l.Depth == 0 && (strings.HasPrefix(l.At, "_pytest/") || strings.HasPrefix(l.At, "pluggy/")) {
				own++
				fmt.Println("asked for by pytest:", f.Test, l.Module, l.At)
			}
			switch {
			case l.Missing:
				missing++
			case l.Exec:
				executed++
			case l.Again:
				again++
			default:
				late++
				if _, ok := gained[f.Test][l.Module]; !ok {
					falsely++
					fmt.Println("falsely late:", f.Test, l.Module, l.At)
				}
			}
		}
		for name, loaded := range gained[f.Test] {
			if loaded && !said[name] && len(f.Facts.Armings(true)) > 0 {
				missed++
				fmt.Println("not seen:", f.Test, name)
			}
		}
	}
	fmt.Printf("%d tests, %d armed: %d late (%d asked for by pytest), %d loaded again, %d found nothing, %d executed; %d falsely late, %d not seen, %d half imported\n",
		len(d.Tests), armed, late, own, again, missing, executed, falsely, missed, half)
	if falsely > 0 {
		return fmt.Errorf("%d are falsely late", falsely)
	}
	return nil
}
