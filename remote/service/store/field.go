package store

// Field is a custom field's definition.
type Field struct {
	ID   int64
	Name string
	Type string // datetime, bool, int or string
}

// FieldValue is the value of a custom field of one paper. A null value has no record.
type FieldValue struct {
	Paper, Field int64
	Value        string
}

// FieldReader finds custom fields. Names are compared folded (see rules.Fold).
type FieldReader interface {
	Field(tenant int64, name string) (Field, error)
	Fields(tenant int64) ([]Field, error) // by folded name
	// FieldValue returns the value of a paper's field; false for null.
	FieldValue(paper, field int64) (value string, found bool, err error)
	// FieldValuesOf visits the values of fields of papers, grouped by paper in the order of
	// papers, which must not contain duplicates.
	FieldValuesOf(papers, fields []int64, visit func(FieldValue) error) error
	// FieldValues visits the values of a field of all papers at or below a node.
	FieldValues(node, field int64, visit func(FieldValue) error) error
}

// FieldWriter changes custom fields.
type FieldWriter interface {
	AddField(tenant int64, f Field) (int64, error) // ErrTaken: the name
	DeleteField(id int64) error                    // and all its values
	SetFieldValue(v FieldValue) error
	ClearFieldValue(paper, field int64) error // makes it null
}
