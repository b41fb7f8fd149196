package agent

import (
	"reflect"
	"runtime"
	"time"
)

// first notes that work starts for the first time, and returns what to call
// when it is done.
func (w *watcher) first(name, at string) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.out == nil || w.armed() == nil {
		return func() {}
	}
	w.firsts++
	n, began := w.firsts, time.Now()
	if by := asker(); by != "" {
		at = by
	}
	w.write(Record{Kind: "late", N: n, Name: name, At: at})
	return func() { w.done(n, name, began) }
}

func (w *watcher) done(n int, name string, began time.Time) {
	w.mu.Lock()
	w.write(Record{Kind: "done", N: n, MS: float64(time.Since(began).Microseconds()) / 1000})
	var sleep time.Duration
	if win := w.armed(); win != nil && w.job.ArmedDelay {
		w.job.ArmedDelay = false // it strikes once
		if sleep = w.job.Delay; sleep <= 0 {
			sleep = time.Until(win.ends) + time.Second
		}
		w.write(Record{Kind: "planted", Name: name, Seconds: sleep.Seconds(), Armed: true, Under: true})
	}
	w.mu.Unlock()
	time.Sleep(sleep)
}

// Func wraps the function of a sync.OnceFunc.
func Func(name, at string, f func()) func() {
	return func() {
		defer process().first(name, at)()
		f()
	}
}

// Value wraps the function of a sync.OnceValue.
func Value[T any](name, at string, f func() T) func() T {
	return func() T {
		defer process().first(name, at)()
		return f()
	}
}

// Values wraps the function of a sync.OnceValues.
func Values[T, U any](name, at string, f func() (T, U)) func() (T, U) {
	return func() (T, U) {
		defer process().first(name, at)()
		return f()
	}
}

// Do wraps the argument of any method called Do. Only a function that sync.Once
// calls counts as first work; the argument of another Do, whatever its type, is
// returned or behaves as it was.
func Do[F any](name, at string, f F) F {
	plain, ok := any(f).(func())
	if !ok {
		v := reflect.ValueOf(f)
		if !v.IsValid() || v.Kind() != reflect.Func || v.IsNil() || v.Type().NumIn() > 0 || v.Type().NumOut() > 0 {
			return f
		}
		plain = func() { v.Call(nil) }
	}
	if plain == nil {
		return f
	}
	wrapped := func() {
		if calledByOnce() {
			defer process().first(name, at)()
		}
		plain()
	}
	return reflect.ValueOf(wrapped).Convert(reflect.TypeOf(f)).Interface().(F)
}

// calledByOnce reports whether sync.Once calls the caller.
func calledByOnce() bool {
	var pcs [4]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	f, _ := frames.Next()
	return f.Function == "sync.(*Once).doSlow"
}

// Lazy notes that a package-level variable is about to be set for the first
// time.
func Lazy(name, at string) { process().first(name, at)() }

// Call sleeps at the first call of a planted function.
func Call(name string) {
	process().mu.Lock()
	var sleep time.Duration
	for i, p := range process().job.Plants {
		if p.Name == name {
			sleep = p.Delay
			process().write(Record{Kind: "planted", Name: name, Seconds: sleep.Seconds(), Under: process().armed() != nil})
			process().job.Plants = append(process().job.Plants[:i], process().job.Plants[i+1:]...)
			break
		}
	}
	process().mu.Unlock()
	time.Sleep(sleep)
}
