package admin

import (
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// TestADeepCheckReadsSmallContent checks that content in a record is compared with its digest, by a
// deep check alone, up to the largest that lies in a record.
func TestADeepCheckReadsSmallContent(t *testing.T) {
	l := newLibrary(t)
	contents := [][]byte{[]byte("whole"), []byte("altered"), make([]byte, store.SmallContent)}
	l.change(func(tx store.Writer) error {
		var failed error
		for i, name := range []string{"whole", "altered", "full"} {
			content := contents[i]
			sum := sha256.Sum256(content)
			if name != "whole" {
				sum[31]++
			}
			_, err := tx.AddFile(1, store.File{Name: name, Size: int64(len(content)), SHA256: sum, Small: content})
			failed = errors.Join(failed, err)
		}
		return failed
	})
	require.Empty(t, l.check(false).Wrong)
	wrong := l.check(true).Wrong
	for i, name := range []string{"altered", "full"} {
		require.Len(t, wrong, 2, "%q", wrong)
		require.Contains(t, wrong[i], "("+name+"): its SHA-256 does not match its record")
	}
}
