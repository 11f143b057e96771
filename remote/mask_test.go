package remote

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestAShortNameStaysInOtherWords checks that a message loses a user name, or a short password, only where that is a word, and
// a long password wherever it is.
func TestAShortNameStaysInOtherWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ username, password, said, shown string }{
		"a name in a word":        {"ann", testPassword, "ann: the annual file cannot be moved, Ann", "***: the annual file cannot be moved, Ann"},
		"a name in a parameter":   {"ann", testPassword, "user=ann&at=%3Dann+ann_2", "user=***&at=%3D***+ann_2"},
		"a name that is no word":  {"@nn!", testPassword, "x@nn!x %40nn%21 @nn", "x***x *** @nn"},
		"a name with blanks":      {"press office", testPassword, "press office, press+offices, press%20office", "***, press+offices, ***"},
		"a short password":        {"ann", "file", "the files of file", "the files of ***"},
		"a long password":         {"ann", "longsecret", "xlongsecrety", "x***y"},
		"a short name":            {"an", "", "an empty file", "an empty file"},
		"a name that is no UTF-8": {"\xffnn", testPassword, "a \xffnn", "a ***"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := testrun.Must(New(Options{BaseURL: "http://127.0.0.1:1", Username: c.username, Password: c.password}))(t)
			defer client.Close()
			require.Equal(t, c.shown, client.mask(c.said))
		})
	}
}
