package importfile

import (
	"fmt"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// File is the content of an import file.
type File struct {
	Fields []Field
	Nodes  []Node // in file order, a category before its content
}

// Field is a custom field's definition.
type Field struct {
	Line int
	store.Field
}

// Node is a category or a paper. Except for the address and the settings, everything is for
// papers only.
type Node struct {
	Line int
	Kind remote.NodeKind
	ID   int64  // if URL is empty
	URL  string // as in the file
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

// Value is the value of a setting or custom field. Its type is not checked yet.
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

// Error is a fault in a file.
type Error struct {
	Line   int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Errorf returns an Error.
func Errorf(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}
