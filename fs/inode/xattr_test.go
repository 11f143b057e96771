package inode

import (
	"context"
	"strings"
	"syscall"
	"testing"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// described is a node with a description.
type described struct {
	Described
	d Description
}

func (n *described) Describe() Description { return n.d }

func nodeOf(d Description) *described {
	n := &described{d: d}
	gofs.NewNodeFS(n, &gofs.Options{MountOptions: fuse.MountOptions{}})
	return n
}

// TestEachAttributeIsWhatTheDescriptionSays checks that a node has an attribute for each field that
// applies, and no other.
func TestEachAttributeIsWhatTheDescriptionSays(t *testing.T) {
	t.Parallel()
	n := nodeOf(Description{Kind: "file", State: Failed, ID: 12, SHA256: "abc", LastError: "no"})
	dest := make([]byte, 1000)
	size, errno := n.Listxattr(context.Background(), dest)
	require.Zero(t, errno)
	names := strings.Split(strings.TrimSuffix(string(dest[:size]), "\x00"), "\x00")
	require.Equal(t, []string{"user.paperfs.error", "user.paperfs.id", "user.paperfs.kind", "user.paperfs.sha256", "user.paperfs.state"}, names)
	for name, want := range map[string]string{"error": "no", "id": "12", "kind": "file", "sha256": "abc", "state": "failed"} {
		size, errno := n.Getxattr(context.Background(), "user.paperfs."+name, dest)
		require.Zero(t, errno)
		require.Equal(t, want, string(dest[:size]))
	}
	for _, other := range []string{"user.paperfs.url", "user.paperfs.", "user.kind", "security.capability"} {
		_, errno := n.Getxattr(context.Background(), other, dest)
		require.Equal(t, syscall.ENODATA, errno, other)
	}
}

// TestAnAttributeTellsItsSize checks getxattr(2) with a buffer that is too small, or none.
func TestAnAttributeTellsItsSize(t *testing.T) {
	t.Parallel()
	n := nodeOf(Description{Kind: "directory"})
	for _, room := range []int{0, 8} {
		size, errno := n.Getxattr(context.Background(), "user.paperfs.kind", make([]byte, room))
		require.Equal(t, syscall.ERANGE, errno)
		require.EqualValues(t, len("directory"), size)
	}
	size, errno := n.Listxattr(context.Background(), nil)
	require.Equal(t, syscall.ERANGE, errno)
	require.EqualValues(t, len("user.paperfs.kind\x00"), size)
}
