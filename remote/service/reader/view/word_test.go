package view

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryLanguageSaysEverything checks that no text is missing or unknown, and that each has as many numbers and
// names as its English one.
func TestEveryLanguageSaysEverything(t *testing.T) {
	english := texts(t, Languages()["en"])
	require.NotEmpty(t, english)
	for tag, words := range Languages() {
		content, err := languageFiles.ReadFile("language/" + tag + ".json")
		require.NoError(t, err)
		read := json.NewDecoder(bytes.NewReader(content))
		read.DisallowUnknownFields()
		require.NoError(t, read.Decode(new(Words)), tag)
		require.Len(t, words.Months, 12, tag)
		require.NotEmpty(t, words.Hits["other"], tag)
		for form, text := range words.Hits {
			require.Len(t, placeholder.FindAllString(text, -1), 1, "%s: %s", tag, form)
		}
		for name, text := range texts(t, words) {
			require.NotEmpty(t, text, "%s: %s", tag, name)
			require.Equal(t, placeholder.FindAllString(english[name], -1), placeholder.FindAllString(text, -1), "%s: %s", tag, name)
		}
	}
}

var placeholder = regexp.MustCompile(`%.`)

// texts returns the texts of a language by the names of their fields.
func texts(t *testing.T, w Words) map[string]string {
	all := map[string]string{}
	for field, value := range reflect.ValueOf(w).Fields() {
		switch text := value.Interface().(type) {
		case string:
			all[field.Name] = text
		case Saying:
			all[field.Name+".Heading"], all[field.Name+".Text"] = text.Heading, text.Text
		case map[string]string:
			require.Len(t, text, 6, field.Name)
			for kind, one := range text {
				all[field.Name+"."+kind] = one
			}
		}
	}
	return all
}
