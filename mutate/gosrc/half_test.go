package gosrc

import (
	"context"
	"os"
	"testing"

	"assay/mutate/gosrc/typed"
	"assay/mutate/mutatetest"
)

// The hunks of one statement belong together as soon as the text parses; the
// hunk before the statement, in the same function, does not.
func TestHalvesAreJoinedWithinTheSmallestStatement(t *testing.T) {
	base := "package a\n\nfunc F(s []int) {\n\tprint(1)\n\tprint(2)\n\teach(s, func(n int) {\n\t\tprint(n)\n\t})\n}\n\nfunc each(s []int, f func(int)) { f(s[0]) }\n"
	head := "package a\n\nfunc F(s []int) {\n\tprint(10)\n\tprint(2)\n\tfor _, n := range s {\n\t\tprint(n)\n\t}\n}\n\nfunc each(s []int, f func(int)) { f(s[0]) }\n"
	c := mutatetest.Change(map[string]string{"a.go": base}, map[string]string{"a.go": head})
	notes, err := Source{}.Study(context.Background(), c, c.Files)
	if err != nil {
		t.Fatal(err)
	}
	dir := writeHead(t, map[string]string{"a.go": head, "go.mod": goMod})
	s, err := openSides(context.Background(), typed.Config{Dir: dir, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}, c, notes)
	if err != nil || len(s.members) != 3 {
		t.Fatalf("%d members, %v", len(s.members), err)
	}
	for i, want := range []int{1, 2, 2} {
		if got := s.joined(s.members[i]); len(got) != want || i > 0 && !s.parses(got) {
			t.Errorf("%s is joined to %d, want %d", s.members[i].unit.Hunk.Name(), len(got), want)
		}
	}
}
