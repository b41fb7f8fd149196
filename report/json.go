package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"assay/prove"
)

// JSON writes r as indented JSON with a final newline. Lists without elements
// are written as [], also where the Report holds a nil slice.
func JSON(w io.Writer, r *prove.Report, _ Style) error {
	filled, err := clone(r)
	if err != nil {
		return err
	}
	fillLists(reflect.ValueOf(filled).Elem())
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(filled)
}

// Read reads a report that JSON wrote. It refuses another schema, so that a
// report of a later version is not misread, and what cannot be one: without
// ids, with reasons that belong to another verdict, with counts that are not
// those of its findings.
func Read(in io.Reader) (*prove.Report, error) {
	var r prove.Report
	dec := json.NewDecoder(in)
	if err := dec.Decode(&r); err != nil {
		return nil, fmt.Errorf("not an assay report: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not an assay report: something follows after its end")
	}
	if r.Schema != prove.Schema {
		return nil, fmt.Errorf("the report has schema %q, this assay reads %q", r.Schema, prove.Schema)
	}
	if err := check(&r); err != nil {
		return nil, fmt.Errorf("not an assay report: %w", err)
	}
	return &r, nil
}

func clone(r *prove.Report) (*prove.Report, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	out := new(prove.Report)
	return out, json.Unmarshal(data, out)
}

// fillLists makes every nil slice that v reaches an empty one; v must be
// settable.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fillLists(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillLists(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	}
}
