package harness

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ReadRecords hands add each record of r, one JSON value a line, in order. A
// last line without a line end is what a killed process did not finish, and is
// left out; any other line that is no record is an error, which calls the
// records by of.
func ReadRecords[T any](r io.Reader, of string, add func(T)) error {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line %d of %s: %w", n, of, err)
		}
		var rec T
		if err := json.Unmarshal(text, &rec); err != nil {
			return fmt.Errorf("line %d of %s: %w", n, of, err)
		}
		add(rec)
	}
}
