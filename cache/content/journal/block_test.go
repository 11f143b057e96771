package journal

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/tree"
)

// name draws a name as the kernel can pass it: any bytes but zero and the slash.
var name = rapid.Custom(func(t *rapid.T) string {
	b := rapid.SliceOfN(rapid.Byte().Filter(func(c byte) bool { return c != 0 && c != '/' }), 1, 30).Draw(t, "name")
	return string(b)
})

// node draws a file, or a directory, with its names in two directories.
func node(t *rapid.T) *tree.Node {
	kind := rapid.SampledFrom([]inode.FileKind{inode.File, inode.Directory}).Draw(t, "kind")
	n := tree.NewNode(inode.Ino(rapid.Uint64Range(1, 1<<40).Draw(t, "ino")), kind)
	if rapid.Bool().Draw(t, "local") {
		n.On(tree.Hidden)
	}
	when := rapid.Int64Range(0, 1<<60)
	n.Mode, n.UID, n.GID = rapid.Uint16().Draw(t, "mode"), rapid.Int64().Draw(t, "uid"), rapid.Int64().Draw(t, "gid")
	n.Atime, n.Mtime, n.Ctime = inode.Instant(when.Draw(t, "atime")), inode.Instant(when.Draw(t, "mtime")), inode.Instant(when.Draw(t, "ctime"))
	first, second := tree.NewNode(2, inode.Directory), tree.NewNode(3, inode.Directory)
	first.Attach(name.Draw(t, "name"), n)
	if kind == inode.Directory {
		n.ID = rapid.Int64Range(0, 99).Draw(t, "id")
		return n
	}
	if !n.Local() && rapid.Bool().Draw(t, "published") {
		id := rapid.Int64Range(1, 99).Draw(t, "id")
		n.Pub = tree.Version{ID: id, Size: rapid.Int64Min(-1).Draw(t, "size"), KB: rapid.Int64Min(-1).Draw(t, "kb"),
			URL: tree.AddressOf("http://h/media/"+rapid.StringMatching(`[1-9]{1,2}/[a-z]{1,3}`).Draw(t, "url"), id, n.Name), ModTime: n.Mtime}
	}
	if n.Local() && rapid.Bool().Draw(t, "linked") {
		second.Attach(name.Draw(t, "other name"), n)
	}
	return n
}

// TestEachInodeOfABlockIsReadAsWritten checks that each inode of a block is read as it was written.
func TestEachInodeOfABlockIsReadAsWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfN(rapid.Custom(node), 1, 5).Draw(t, "nodes")
		var written Fields
		for _, n := range nodes {
			written.Inode(n)
		}
		b := Reader{Rest: written}
		for _, want := range nodes {
			var names []Named
			got, spool := b.Inode(&names)
			require.NoError(t, b.Err)
			require.Equal(t, want.Ino, got.Ino)
			require.Equal(t, want.Kind, got.Kind)
			require.Equal(t, want.Local(), got.Local())
			require.Equal(t, want.ID, got.ID)
			require.Equal(t, want.Pub, got.Pub)
			require.Equal(t, []any{want.Mode, want.UID, want.GID, want.Atime, want.Mtime, want.Ctime},
				[]any{got.Mode, got.UID, got.GID, got.Atime, got.Mtime, got.Ctime})
			if want.Kind == inode.File && want.Local() {
				require.Equal(t, Spool{Size: want.Size}, spool)
			} else {
				require.Zero(t, spool.Serial)
			}
			require.Len(t, names, 1+len(want.Also))
			require.Equal(t, Named{want.Parent.Ino, want.Name, got}, names[0])
			for i, l := range want.Also {
				require.Equal(t, Named{l.Dir.Ino, l.Name, got}, names[1+i])
			}
		}
		require.Empty(t, b.Rest)
	})
}

// TestADamagedBlockIsToldOrRead cuts and changes a block: reading it ends, with an error or with
// inodes, and never goes on past the end.
func TestADamagedBlockIsToldOrRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var written Fields
		written.Inode(node(t))
		content := []byte(written)
		if rapid.Bool().Draw(t, "cut") {
			content = content[:rapid.IntRange(0, len(content)-1).Draw(t, "length")]
		} else {
			content[rapid.IntRange(0, len(content)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		b := Reader{Rest: content}
		var names []Named
		for len(b.Rest) > 0 && b.Err == nil {
			before := len(b.Rest)
			b.Inode(&names)
			require.Less(t, len(b.Rest), before)
		}
	})
}

// TestACutBlockIsDamaged cuts a block within its fields: no inode is lost without an error.
func TestACutBlockIsDamaged(t *testing.T) {
	t.Parallel()
	n := tree.NewNode(7, inode.File)
	tree.NewNode(2, inode.Directory).Attach("a", n)
	var written Fields
	written.Inode(n)
	for length := 1; length < len(written); length++ {
		b := Reader{Rest: written[:length]}
		b.Inode(new([]Named))
		require.ErrorIs(t, b.Err, ErrBlock, "the first %d bytes of %d", length, len(written))
	}
}
