package inode

import (
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
)

func TestNumbersOfDifferentThingsDiffer(t *testing.T) {
	v := NewVirtual()
	numbers := []uint64{Root, Node(remote.CategoryNode, 7), Node(remote.PaperNode, 7), Media(7), v.Number(7, "url"), v.Number(8, "url"), v.Number(7, "id")}
	for i, n := range numbers {
		require.NotContains(t, numbers[i+1:], n)
		require.Zero(t, n>>63, "the highest bit is for go-fuse")
	}
}

// TestGeneratedNumbersAreFNV checks the hash, because backups and desktops remember inode numbers.
func TestGeneratedNumbersAreFNV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parent, name := rapid.Uint64().Draw(t, "parent"), rapid.String().Draw(t, "name")
		h := fnv.New64a()
		h.Write(binary.LittleEndian.AppendUint64(nil, parent))
		h.Write([]byte(name))
		v := NewVirtual()
		require.Equal(t, v.Peek(parent, name), v.Number(parent, name))
		require.Equal(t, h.Sum64()&mask, v.Number(parent, name)&mask)
	})
}

func TestNamesThatCollideGetNumbersOfTheirOwn(t *testing.T) {
	v := NewVirtual()
	number := v.Number(1, "a")
	v.used[number]++ // as if another name had it
	second := v.Number(1, "a")
	require.NotEqual(t, number, second)
	require.Equal(t, second, v.Number(1, "a"), "the number is the same while the kernel knows the node")
	v.Forget(number)
	v.Forget(second)
	require.Equal(t, number, v.Number(1, "a"))
}

// TestAnotherNodeOfANameHasAnotherNumber checks that the inodes that a name had one after the other differ
// while any of them is in use, and that the first number comes back.
func TestAnotherNodeOfANameHasAnotherNumber(t *testing.T) {
	t.Parallel()
	v := NewVirtual()
	first := v.Another(1, "source.pdf")
	require.Equal(t, v.Peek(1, "source.pdf"), first, "the number that a listing shows")
	second := v.Another(1, "source.pdf")
	require.NotEqual(t, first, second)
	v.Forget(first)
	require.Equal(t, first, v.Another(1, "source.pdf"))
	require.NotContains(t, []uint64{first, second}, v.Another(1, "source.pdf"))
}
