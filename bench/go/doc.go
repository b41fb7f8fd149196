// Command go measures what assay costs on Go code beside gremlins, on the same
// package and the same operators, in one run; and whether assay's fates are
// those of plain `go test` with the mutant on disk.
//
//	go run ./bench/go -assay BIN -gremlins BIN -work DIR     the two ratios
//	go run ./bench/go -assay BIN -work DIR -agree 200        the agreement
//
// Modules come from the module proxy and are copied below -work.
//
// CPU is user and system time of the process and all it waited for. Of
// gremlins, which has no sampling, only some files are mutated, and what a dry
// run costs (its coverage run) is taken off: its figure is the marginal cost of
// a mutant. Of assay nothing is taken off: baseline, type check, build and runs
// are divided by the mutants that were run. gremlins takes its time limit from
// the coverage run, which the go command may answer from its cache; the
// coefficient is therefore high, so that no mutant is given up (v0.6.0 does so
// with all of them by default). Its --test-cpu is not used: with it every test
// binary of v0.6.0 dies, and every mutant counts as killed.
package main
