package apitest

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// TestAWindowThatBeginsDuringACall checks that a call which came before a maintenance window changes
// nothing in it: an operator who has opened one may rely on what the records hold.
func TestAWindowThatBeginsDuringACall(t *testing.T) {
	t.Parallel()
	s := start(t)
	administrator := s.admin()
	counting := &countingStore{}
	s.wrapStore(func(real store.Store) store.Store {
		counting.Store = real
		return counting
	})
	for _, size := range []int{5, 1 << 20} {
		before := s.contents()
		counting.happens = func() { assert.NoError(t, administrator.SetReadOnly(true)) }
		counting.left.Store(1)
		r := s.call(remote.UploadFile, "parentID", "0", "name", fmt.Sprint("file", size), "base64File", base64.StdEncoding.EncodeToString(make([]byte, size)))
		require.LessOrEqual(t, counting.left.Swap(0), int64(0), "no window began during the call")
		require.Equal(t, remote.ReadOnly, r.code, r.body)
		require.Equal(t, before, s.contents())
		require.NotContains(t, s.must(remote.GetTree).data, "<file")
		require.NoError(t, administrator.SetReadOnly(false))
		s.upload("0", fmt.Sprint("later", size), "after the window")
		s.must(remote.DeleteFile, "fileID", s.must(remote.GetTree).attribute(t, "fileid"))
	}
}
