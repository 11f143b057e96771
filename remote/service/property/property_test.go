package property

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/rules"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestValuesInMarkupAreHarmless checks the forms of settings whose values appear in pages and addresses.
func TestValuesInMarkupAreHarmless(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form      form
		good, bad []string
	}{
		{languageTag, []string{"", "en", "de-CH"}, []string{"e", `en" onload="x`, "en_US"}},
		{color, []string{"", "red", "#abc", "#aabbcc"}, []string{"#abcd", "red;x", "url(x)"}},
		{email, []string{"", "a.b@papers.example"}, []string{"a@", "a@b c", "a?subject=x@b.example"}},
		{exportURL, []string{"", "https://shop.example/in?x=1", "https://shop.example:8443/"}, []string{"http://shop.example/", "https://a@shop.example/", "https://shop.example/#x", "https://*/", "javascript:alert(1)"}},
		{checkouts, []string{"", rules.CheckoutTypes[0]}, []string{"Cash", rules.CheckoutTypes[0] + " " + rules.CheckoutTypes[0]}},
	} {
		for _, text := range c.good {
			require.True(t, c.form.check(text), "%q is %s", text, c.form.words)
		}
		for _, text := range c.bad {
			require.False(t, c.form.check(text), "%q is not %s", text, c.form.words)
		}
	}
}

// TestAFieldsValueFitsItsType checks definitions of fields, and that values are kept in one form.
func TestAFieldsValueFitsItsType(t *testing.T) {
	t.Parallel()
	require.NoError(t, CheckField(store.Field{Name: "Page_Target", Type: rules.IntType}))
	for _, bad := range []store.Field{{Name: "", Type: rules.IntType}, {Name: "a b", Type: rules.IntType}, {Name: "a", Type: "float"}} {
		require.Error(t, CheckField(bad), "%v", bad)
	}
	require.Equal(t, "48", testrun.Must(FieldValue(store.Field{Type: rules.IntType}, "48"))(t))
	for kind, text := range map[string]string{rules.IntType: "many", rules.BoolType: "maybe", rules.DateTimeType: "tomorrow"} {
		_, err := FieldValue(store.Field{Type: kind}, text)
		require.ErrorContains(t, err, "INVALID_DATA_FORMAT", kind)
	}
}
