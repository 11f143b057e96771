package importfile

import (
	"fmt"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// File is what an import file holds.
type File struct {
	Fields []Field
	Nodes  []Node // in the file's order, a category before what lies in it
}

// Field is a custom field's definition.
type Field struct {
	Line int
	store.Field
}

// Node is a category or a paper. All but the address is for papers only,
// except settings.
type Node struct {
	Line int
	Kind remote.NodeKind
	ID   int64  // where URL is empty
	URL  string // as written
	Name string // "" = the last segment of URL

	Settings   []Value
	Period     remote.Period // zero: not given
	Processing *store.Processing
	Fields     []Value
	Pages      []store.Page // nil: not given
	Links      []store.Link // nil: not given
	Orders     []Order
	Jobs       []Job
}

// Value is that of a setting or custom field, not yet checked for its type.
type Value struct {
	Line  int
	Name  string
	Value string
	Null  bool
}

// Order is an order of a paper.
type Order struct {
	Line int
	store.Order
}

// Job is a processing of a paper.
type Job struct {
	Line int
	store.Job
}

// Error is what is wrong in a file.
type Error struct {
	Line   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Errorf makes an Error.
func Errorf(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}
