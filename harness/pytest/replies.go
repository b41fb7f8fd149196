package pytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"assay/harness"
)

// A reply is what a zygote says; Kind tells which fields count.
type reply struct {
	Kind    string   `json:"k"`       // ready, forked, ended
	Why     string   `json:"why"`     // ready: why it cannot be forked from
	Threads []string `json:"threads"` // ready: the files whose threads are alive; "" for others
	Loaded  []string `json:"loaded"`  // ready, of a bare process: the files of the tree that it has loaded
	Size    int64    `json:"size"`    // ready, ended: the most memory it ever held, in units of its own
	PID     int      `json:"pid"`     // forked
	Status  int      `json:"status"`  // ended: as wait(2) has it; -1 when nobody knows

	output string // ended: what was printed since the last reply, its tail
}

// separator stands before and behind each reply in the output.
const separator = 0x1e

// replies takes the one stream that a zygote and its children write to apart:
// into replies, and what was printed before each. A test cannot make a reply up
// without knowing the nonce.
type replies struct {
	prefix []byte
	news   chan reply

	mu      sync.Mutex
	pending []byte
	printed *harness.Tail
}

// backlog is more replies than can be waiting: each is answered by a request.
const backlog = 8

func newReplies(nonce string) *replies {
	return &replies{prefix: append([]byte{separator}, nonce+" "...), news: make(chan reply, backlog), printed: &harness.Tail{}}
}

// Write takes a part of the stream in. It fails on a reply that is none, which
// ends the zygote.
func (r *replies) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(r.pending, p...)
	for {
		at := bytes.Index(r.pending, r.prefix)
		if at < 0 {
			r.print(max(0, len(r.pending)-len(r.prefix)+1)) // the rest may be the start of a prefix
			return len(p), nil
		}
		r.print(at)
		text, rest, whole := bytes.Cut(r.pending[len(r.prefix):], []byte{separator})
		if !whole {
			return len(p), nil
		}
		var news reply
		if err := json.Unmarshal(text, &news); err != nil {
			return 0, fmt.Errorf("a reply of the warm pytest process: %w", err)
		}
		news.output, r.printed, r.pending = r.printed.String(), &harness.Tail{}, bytes.Clone(rest)
		r.news <- news
	}
}

func (r *replies) print(n int) {
	_, _ = r.printed.Write(r.pending[:n]) // a Tail never fails
	r.pending = r.pending[n:]
}

// left is what was printed since the last reply.
func (r *replies) left() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.printed.String() + string(r.pending)
}
