/*
Assay answers one question: does any test notice when this piece of the change
is not there? It un-does each hunk of a change in a throwaway tree, reruns the
tests that cover it and says of each hunk

	PROVEN            a test that is green at head fails without it, twice
	NOT_PROVEN        the tests ran without it and stayed green, or none reach it
	INCONCLUSIVE      neither can be said, and why
	NOTHING_TO_PROVE  it cannot change behaviour, or is not for tests to hold

with the evidence: which tests, what they printed, and how to run it again.
Your own tree, index, refs and stash are never written.

Usage:

	assay prove                     the branch against the default branch
	assay prove HEAD~1..HEAD        the last commit
	assay prove --uncommitted       what you have not committed yet
	assay mutate PATH               small alterations that no test notices
	assay probe                     is anything imported while a deadline is armed
	assay doctor                    can this repository be proven at all
	assay demo                      an example change, proven end to end

Exit codes:

	0    nothing to object to
	1    something is NOT_PROVEN or late; of assay mutate: a mutant survived or is uncovered
	2    usage, configuration, or a repository that cannot be read
	3    the only objections are INCONCLUSIVE
	4    no test is green at head, so nothing could be proven
	70   a fault of assay's own
	130  interrupted
	141  nobody reads standard output any more

--fail-on widens or narrows what counts as an objection. Settings that a
project shares live in assay.toml at the root of the repository.
*/
package main
