package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/fs/control"
	"paperfs/fs/inode"
)

// TestAnUploadedFileHasItsAddress checks that the mount knows the address of a file that it has sent, or renamed, without
// a request: the answer to the upload has it.
func TestAnUploadedFileHasItsAddress(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"--write-back=false", "--write-back"} {
		e := newEnvironment(t)
		e.mount(mode)
		trees := func() uint64 {
			var s control.Status
			require.NoError(t, json.Unmarshal([]byte(e.succeed("status", "--json", e.path("ipaper"))), &s))
			return s.Requests.ByOperation["GetTree"]
		}
		e.must("ls media")
		before := trees()
		told := func(name, script string) (address string) {
			e.must(script)
			e.succeed("wait", e.path("ipaper"))
			var d inode.Description
			require.NoError(t, json.Unmarshal([]byte(e.succeed("stat", "--json", e.path("ipaper/media", name))), &d))
			require.Regexp(t, fmt.Sprintf("^http://.*/media/%d/", d.ID), d.Address, "%s %s", mode, script)
			return d.Address
		}
		first := told("a b.txt", "echo one > 'media/a b.txt'")
		require.Equal(t, first, told("a b.txt", "echo two > 'media/a b.txt'"))
		moved := told("c.txt", "mv 'media/a b.txt' media/c.txt")
		require.Equal(t, first, told("a b.txt", "mv media/c.txt 'media/a b.txt'"))
		require.NotEqual(t, first, moved)
		require.Equal(t, before, trees())
		e.succeed("refresh", e.path("ipaper"))
		require.Equal(t, first, told("a b.txt", "ls media"))
		require.Equal(t, "two\n", e.must("curl -sSf "+first))
	}
}
