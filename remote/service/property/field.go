package property

import (
	"slices"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// fieldTypes are the data types of custom fields. Settings have the same types.
var fieldTypes = []string{rules.BoolType, rules.DateTimeType, rules.IntType, rules.StringType}

// CheckField checks a definition.
func CheckField(f store.Field) error {
	if !rules.FieldName(f.Name) {
		return answer.Refuse(remote.InvalidFieldName, "The name of a field has to be 1 to 128 characters of a-z A-Z 0-9 _.")
	}
	if !slices.Contains(fieldTypes, f.Type) {
		return answer.Refuse(remote.InvalidDataType, "dataType has to be bool, datetime, int or string.")
	}
	return nil
}

// SetField sets the value of a paper's field. An empty text means null, except for strings.
func SetField(tx store.Writer, paper int64, f store.Field, text string) error {
	if text == "" && f.Type != rules.StringType {
		return tx.ClearFieldValue(paper, f.ID)
	}
	canonical, err := FieldValue(f, text)
	if err != nil {
		return err
	}
	return tx.SetFieldValue(store.FieldValue{Paper: paper, Field: f.ID, Value: canonical})
}

// FieldValue returns a value in its canonical form.
func FieldValue(f store.Field, text string) (string, error) {
	canonical, ok := rules.Typed(f.Type, text)
	if !ok {
		return "", answer.Refuse(remote.InvalidDataFormat, "The value does not fit the type %s of %s.", f.Type, f.Name)
	}
	return canonical, nil
}
