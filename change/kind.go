package change

import "fmt"

// A Kind is the part a file plays in a change; it decides how its hunks are
// judged.
type Kind int

// The kinds of file. The zero value is Production: what nothing classifies is
// code that must be proven.
const (
	Production Kind = iota
	Support         // fixtures, conftest, helpers: un-done like production
	Test            // holds tests; listed, judged by the gate
	Data            // read by code or by tests: JSON, SQL, templates, golden files
	Inert           // cannot change behaviour: docs, licences, CI config, lock files
	Generated       // written by a generator that says so
)

var kindNames = [...]string{"production", "support", "test", "data", "inert", "generated"}

func (k Kind) String() string { return kindNames[k] }

// ParseKind is the inverse of String.
func ParseKind(s string) (Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), nil
		}
	}
	return 0, fmt.Errorf("unknown kind %q (want production, support, test, data, inert or generated)", s)
}

// MarshalText writes the kind as reports name it.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse of MarshalText.
func (k *Kind) UnmarshalText(b []byte) (err error) { *k, err = ParseKind(string(b)); return err }
