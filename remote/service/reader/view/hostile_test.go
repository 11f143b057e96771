package view

import (
	"io"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// fill sets all that is in a value: texts to a text, but for those that are read before they are shown; addresses, whose scheme
// the caller has checked, to one with the text.
func fill(v reflect.Value, name, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[Address]() {
			text = "https://example.org/" + text
		}
		if name != "Query" && name != "Accent" && name != "Stage" {
			v.SetString(text)
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(.5)
	case reflect.Bool:
		v.SetBool(name != "Bare" && name != "Hidden")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), name, text)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name, text)
	case reflect.Func:
		pages := make([]Page, 2)
		fill(reflect.ValueOf(&pages).Elem(), name, text)
		v.Set(reflect.ValueOf(iter.Seq[Page](slices.Values(pages))))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), v.Type().Field(i).Name, text)
		}
	}
}

// TestNoTextOfOthersIsMarkup fills all that a page shows with what ends elements and attributes, or runs as an address. A
// parser finds no element, no attribute and no address of it in any page.
func TestNoTextOfOthersIsMarkup(t *testing.T) {
	for _, page := range []interface{ Write(io.Writer) error }{&Paper{}, &Shelf{}, &State{}, &Receipt{}, &Statistics{}} {
		for _, evil := range []string{`"evil='`, `'><evil evil=a>`, `"><evil evil=a>`, `</title></textarea></script></svg></style><evil>`, `--><evil>`, ` evil evil=a `, "javascript:evil", "JavaScript:evil"} {
			fill(reflect.ValueOf(page).Elem(), "", evil)
			var all strings.Builder
			require.NoError(t, page.Write(&all))
			document, err := html.Parse(strings.NewReader(all.String()))
			require.NoError(t, err)
			shown := 0
			for node := range document.Descendants() {
				if node.Type == html.TextNode && strings.Contains(node.Data, evil) {
					shown++
				}
				require.NotEqual(t, "evil", node.Data)
				require.NotEqual(t, html.CommentNode, node.Type)
				for _, a := range node.Attr {
					require.NotContains(t, a.Key, "evil")
					if isAddress(a.Key) {
						require.NotRegexp(t, "(?i)^ *javascript:", a.Val, a.Key)
					}
				}
			}
			require.NotZero(t, shown, "%T %s", page, evil)
		}
	}
}
