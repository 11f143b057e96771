package rules

// MaxFieldName is the most characters of a custom field's name, MaxText those of
// a string value of a setting or field (contract, 3 and 4).
const (
	MaxFieldName = 128
	MaxText      = 4000
)

// FieldName reports whether text can be the name of a custom field.
func FieldName(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return text != "" && len(text) <= MaxFieldName
}
