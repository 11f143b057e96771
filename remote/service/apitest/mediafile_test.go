package apitest

import (
	"crypto/sha256"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAMediaFileHasAFileOfItsOwn checks which content is opened as a file, and that it is readable to
// its end after it was replaced.
func TestAMediaFileHasAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	text := strings.Repeat("large", store.SmallContent)
	open := func(id, content string) (*os.File, error) {
		number := testrun.Must(strconv.ParseInt(id, 10, 64))(t)
		return s.service.MediaFile(t.Context(), "127.0.0.1:80", number, sha256.Sum256([]byte(content)))
	}
	small, large := s.upload("0", "small", "small"), s.upload("0", "large", text)
	for id, content := range map[string]string{small: "small", large: "another", "999": text} {
		_, err := open(id, content)
		require.ErrorIs(t, err, store.ErrNotFound)
	}
	f := testrun.Must(open(large, text))(t)
	defer f.Close()
	require.Equal(t, large, s.upload("0", "large", text+"r"))
	s.must(remote.DeleteFile, "fileID", large)
	require.Equal(t, 1, s.contents(), "both are removed")
	require.Equal(t, text, string(testrun.Must(io.ReadAll(f))(t)))
	_, err := open(large, text)
	require.ErrorIs(t, err, store.ErrNotFound)
}
