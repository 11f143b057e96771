package remote

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
