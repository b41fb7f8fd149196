package agent

import (
	"context"
	"time"
)

// A window is one deadline from its arming to its end.
type window struct {
	ends  time.Time
	alive func() bool
}

// arm writes a deadline down; alive says later whether it is still running.
func (w *watcher) arm(by, at string, d time.Duration, alive func() bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.windows = append(w.windows, &window{ends: time.Now().Add(d), alive: alive})
	w.write(Record{Kind: "armed", By: by, Seconds: d.Seconds(), At: at})
}

// armed returns a deadline that is running now, or nil; w.mu is held.
func (w *watcher) armed() *window {
	for _, win := range w.windows {
		if win.alive() {
			return win
		}
	}
	return nil
}

// stretched is a duration as long as the job wants it.
func stretched(d time.Duration) time.Duration {
	if d <= 0 {
		return d
	}
	return d + process().job.Stretch
}

// WithTimeout is context.WithTimeout, watched.
func WithTimeout(at string) func(context.Context, time.Duration) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithTimeout(parent, stretched(d))
		process().context(ctx, "context.WithTimeout", at, d)
		return ctx, cancel
	}
}

// WithDeadline is context.WithDeadline, watched.
func WithDeadline(at string) func(context.Context, time.Time) (context.Context, context.CancelFunc) {
	return func(parent context.Context, t time.Time) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithDeadline(parent, t.Add(process().job.Stretch))
		process().context(ctx, "context.WithDeadline", at, time.Until(t))
		return ctx, cancel
	}
}

// WithTimeoutCause is context.WithTimeoutCause, watched.
func WithTimeoutCause(at string) func(context.Context, time.Duration, error) (context.Context, context.CancelFunc) {
	return func(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithTimeoutCause(parent, stretched(d), cause)
		process().context(ctx, "context.WithTimeoutCause", at, d)
		return ctx, cancel
	}
}

// WithDeadlineCause is context.WithDeadlineCause, watched.
func WithDeadlineCause(at string) func(context.Context, time.Time, error) (context.Context, context.CancelFunc) {
	return func(parent context.Context, t time.Time, cause error) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithDeadlineCause(parent, t.Add(process().job.Stretch), cause)
		process().context(ctx, "context.WithDeadlineCause", at, time.Until(t))
		return ctx, cancel
	}
}

// context watches a context until it is cancelled or its deadline passes.
func (w *watcher) context(ctx context.Context, by, at string, d time.Duration) {
	w.arm(by, at, d, func() bool { return ctx.Err() == nil })
}

// AfterFunc is time.AfterFunc, watched until it is stopped or runs.
func AfterFunc(at string) func(time.Duration, func()) *time.Timer {
	return func(d time.Duration, f func()) *time.Timer {
		t := time.AfterFunc(stretched(d), f)
		ends := time.Now().Add(stretched(d))
		process().arm("time.AfterFunc", at, d, func() bool {
			// A timer does not tell whether it runs: it is stopped for the answer
			// and set again to what is left.
			if !t.Stop() {
				return false
			}
			t.Reset(max(time.Until(ends), 1))
			return true
		})
		return t
	}
}
