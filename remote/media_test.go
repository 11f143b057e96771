package remote

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestMediaStoreHasABound checks that the number of files and directories, and their memory, is
// bounded: a small answer can contain very many.
func TestMediaStoreHasABound(t *testing.T) {
	t.Parallel()
	file := `<file fileid="1" name="f" size="0"/>`
	dir := `<directory directoryid="1" name="d">` + file + `</directory>`
	long := `<file fileid="1" name="` + strings.Repeat("f", 4096) + `" size="0"/>`
	for data, words := range map[string]string{
		dir + strings.Repeat(file, 98): "",
		dir + strings.Repeat(file, 99): "more than 100 files and directories",
		strings.Repeat(dir, 51):        "more than 100 files and directories",
		strings.Repeat(long, 15):       "",
		strings.Repeat(long, 16):       "more than 64 KiB of memory",
	} {
		_, c := serve(t, answers(result(Success, data)))
		c.mostMedia = mediaBound{entries: 100, memory: 64 << 10}
		tree, err := c.GetTree(context.Background())
		if words == "" {
			require.NoError(t, err)
			require.NotEmpty(t, tree.Files)
			continue
		}
		require.Contains(t, fails(t, err, Broken).Reason(), words)
		require.Empty(t, tree)
	}
}

// TestAnUploadWithoutAnID checks that the client finds the id of an upload in the tree if the
// answer lacks it.
func TestAnUploadWithoutAnID(t *testing.T) {
	t.Parallel()
	const sumOfX = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	for tree, want := range map[string]int64{
		`<file fileid="7" name="A.svg" size="1" sha256="` + sumOfX + `"/>`:                         7,
		`<file fileid="7" name="a.svg" size="1" bytes="1"/>`:                                       7,
		`<file fileid="7" name="a.svg" size="1"/>`:                                                 7,
		`<file fileid="7" name="a.svg"/>`:                                                          7,
		`<file fileid="7" name="a.svg" size="9"/>`:                                                 0,
		`<file fileid="7" name="b.svg" size="1"/>`:                                                 0,
		`<directory directoryid="2" name="d"><file fileid="7" name="a.svg" size="1"/></directory>`: 0,
	} {
		for _, answer := range []string{"", "<fileid/>", "<fileid>none</fileid>"} {
			_, c := serve(t, byOperation(map[*Operation]handler{UploadFile: answers(result(Success, answer)), GetTree: answers(result(Success, tree))}))
			up, err := c.UploadFile(ctx, 0, "a.svg", content("x"))
			if want == 0 {
				require.True(t, fails(t, err, Broken).Ambiguous)
				continue
			}
			require.NoError(t, err, tree)
			require.Equal(t, Upload{FileID: want, Size: 1, SHA256: sumOfX}, up)
		}
	}
}

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
