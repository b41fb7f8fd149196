// Package worktree is everything git: it opens the user's repository, resolves
// what they typed to two revisions, reads the Change between them, and lends
// throwaway trees that hold head.
//
// # Reading
//
// Blobs are read with go-git. The git binary does what go-git lacks or does
// otherwise: hunks (go-git has no xdiff, and a hunk must be the one that
// `git diff -U0 -M` shows), revision syntax, merge bases, ignored and untracked
// files, the index. What go-git cannot read (SHA-256 repositories, blobs of a
// snapshot) is asked of git as well. Every git process runs without the
// variables that `git rev-parse --local-env-vars` lists, so that assay works
// inside a git hook, without hooks, file-system monitors and optional locks, so
// that reading writes nothing, and with the user's diff settings overruled.
//
// # Throwaway trees
//
// A tree is not a linked worktree of the user's repository. It is a throwaway
// repository of its own that borrows the user's objects through
// objects/info/alternates: own refs (the tags, so that `git describe` works),
// own index, own config, HEAD detached at head, the shallow file copied, no
// remote. In a linked worktree a test that runs `git config`, `git stash` or
// `git tag` writes into the user's repository; here nothing of the user's is
// ever written, not even .git/worktrees, and kill -9 leaves nothing in it.
//
// One run of assay owns one directory:
//
//	<cache>/runs/<run>/owner.json   pid and start time of the process
//	<cache>/runs/<run>/lock         held for as long as the process lives
//	<cache>/runs/<run>/judge.git    what head is: trees are compared with it
//	<cache>/runs/<run>/<slot>/<name of the repository>   a tree, alone in its parent
//	<cache>/runs/<run>/t<slot>      the scratch directory of that tree
//
// Every process of a trial has its TMPDIR there. With the run go the processes
// that still have: what a test started in a session of its own, and what a
// killed assay could not end.
//
// Whether a tree holds head is judged from judge.git, with an index that no
// test can reach, never from the tree's own .git, in which a test may commit.
// Edits are written through an os.Root opened on the tree, so that no symbolic
// link can lead a write out of it.
//
// # Ignored files
//
// Ignored files that tests need (node_modules, a virtual environment, populated
// submodules) are taken from the user's tree. Small ones are copied (the copy
// shares blocks where the file system can); large ones are symbolic links, and
// a test that writes through one writes into the user's tree: list such a
// directory under Copy.
//
// # Limits
//
// Git LFS filters are not run: such files hold their pointers. A file whose
// checkout differs from its blob (line-ending conversion, a filter) cannot be
// edited (ErrUnsupported), for edits are in the coordinates of the blob.
// A blob that a partial clone lacks is fetched by git into the user's objects,
// as any `git diff` would.
package worktree
