package inode

import (
	"math"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

func TestWriteAt(t *testing.T) {
	const longest = math.MaxInt64
	for name, c := range map[string]struct {
		in   fuse.WriteIn
		want WriteRequest
	}{
		"plain":             {fuse.WriteIn{Offset: 7}, WriteRequest{Offset: 7}},
		"the last byte":     {fuse.WriteIn{Offset: longest - 1}, WriteRequest{Offset: longest - 1}},
		"appended":          {fuse.WriteIn{Offset: 7, Flags: syscall.O_APPEND | syscall.O_WRONLY}, WriteRequest{Append: true}},
		"mapped":            {fuse.WriteIn{Offset: 7, WriteFlags: fuse.WRITE_CACHE}, WriteRequest{Mapped: true, Offset: 7}},
		"mapped, at 0":      {fuse.WriteIn{WriteFlags: fuse.WRITE_CACHE}, WriteRequest{Mapped: true}},
		"mapped, last byte": {fuse.WriteIn{Offset: longest - 1, WriteFlags: fuse.WRITE_CACHE}, WriteRequest{Mapped: true, Offset: longest - 1}},
		"mapped, appending": {fuse.WriteIn{Offset: 7, WriteFlags: fuse.WRITE_CACHE, Flags: syscall.O_APPEND}, WriteRequest{Mapped: true, Offset: 7}},
	} {
		was := c.in
		require.Equal(t, c.want, WriteAt(int64(flagged(&c.in).Offset)), name)
		require.Equal(t, was, c.in, name)
	}
}
