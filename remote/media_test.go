package remote

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
