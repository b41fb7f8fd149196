package pytest

// canFork: Windows has no fork; every trial is a process of its own.
const canFork = false
