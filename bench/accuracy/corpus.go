package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// A commit is one line of a corpus file; only what the comparison needs.
type commit struct {
	Lang, Repo, Commit, Parent, Kind string
	Hunks                            []truth
	WholeRevert                      string `json:"whole_revert_verdict"`
}

// A truth is what brute force found for one hunk un-done alone.
type truth struct {
	File          string
	OldStart      int `json:"old_start"`
	OldLines      int `json:"old_lines"`
	NewStart      int `json:"new_start"`
	NewLines      int `json:"new_lines"`
	Verdict       string
	RedClass      string   `json:"red_class"`
	RedTests      []string `json:"red_tests"`
	SameSemantics bool     `json:"same_semantics"`
	Err           string
}

func readCorpus(name string) ([]commit, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	var commits []commit
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c commit
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", name, len(commits)+1, err)
		}
		commits = append(commits, c)
	}
	return commits, lines.Err()
}
