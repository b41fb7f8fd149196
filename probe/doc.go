// Package probe finds out whether work is done for the first time while a
// deadline is armed: a module that is imported under an alarm, a sync.Once that
// starts under a context's deadline. Such work makes a test fail on a slow
// machine only, and in Python an alarm that fires inside an import leaves it
// half done for every later test of the process.
//
// Phases of a Run: discover (the tests once, to learn which arm a deadline),
// then one fresh process after the other for each of those tests, in which
// everything is done for the first time, then Decide. Never two at once: they
// measure deadlines.
//
// The room holds the nouns and the judge; what a language calls first work and
// how it is seen is a Prober of a subdirectory. It is handed sessions by its
// caller and imports no sibling but harness, for its process control.
package probe
