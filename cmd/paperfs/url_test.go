package main

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/fs/inode"
	"paperfs/remote/testrun"
)

func TestURLTellsWhereReadersFindIt(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PATH", e.path("bin")+":"+os.Getenv("PATH"))
	e.mount()
	e.must(`mkdir -p papers/Sale && mkdir "papers/Sale/Über uns.paper" && echo a > media/a.txt && echo b > media/.b`)
	e.succeed("refresh", e.path("ipaper/media"))
	e.must(`ls media > /dev/null`)
	paper := e.path("ipaper/papers/Sale/Über uns.paper")
	url := func(args ...string) string { return e.succeed(append([]string{"url"}, args...)...) }

	address := testrun.Must(os.ReadFile(paper + "/address"))(t)
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/sale/uber-uns/\n$`, string(address))
	require.Equal(t, string(address), url(paper))
	require.Equal(t, string(address), url(paper+"/structure.xml"))
	require.Regexp(t, `/sale/\n$`, url(e.path("ipaper/papers/Sale")))
	require.Regexp(t, `/media/\d+/a.txt\n$`, url(e.path("ipaper/media/a.txt")))
	e.fail(cli.ExitFailure, "media/.b has no address: it is local, and not on the service", "url", e.path("ipaper/media/.b"))
	e.fail(cli.ExitFailure, "has no address: it is not a category", "url", e.path("ipaper"))

	require.Regexp(t, `/sale/uber-uns/\?SecurityToken=[0-9a-f-]{36}\n$`, url("--preview", "60", paper))
	e.fail(cli.ExitFailure, "paperfs why ", "url", "--preview=-1", paper)
	e.fail(cli.ExitUsage, "give the number of minutes", "url", "--preview", "0", paper)
	e.fail(cli.ExitUsage, "give the number of minutes", "open", "--preview", "0", paper)
	e.fail(cli.ExitFailure, "only papers have preview links", "url", "--preview", "60", e.path("ipaper/papers/Sale"))

	require.Equal(t, string(address), e.succeed("open", paper), "without a desktop, open prints the address")
	e.set("DISPLAY", ":7")
	require.NoError(t, os.Mkdir(e.path("bin"), 0o755))
	opener := func(script string) {
		require.NoError(t, os.WriteFile(e.path("bin/xdg-open"), []byte("#!/bin/sh\n"+script), 0o755))
	}
	opener(`printf %s "$1" > ` + e.path("opened"))
	require.Empty(t, e.succeed("open", paper))
	opened := testrun.Must(os.ReadFile(e.path("opened")))(t)
	require.Equal(t, string(address), string(opened)+"\n")
	require.Empty(t, e.succeed("open", e.path("ipaper/papers/Sale")))
	opened = testrun.Must(os.ReadFile(e.path("opened")))(t)
	require.Equal(t, url(e.path("ipaper/papers/Sale")), string(opened)+"\n")
	opener("exit 3")
	require.Equal(t, string(address), e.succeed("open", paper), "open also prints the address if the browser fails")
}

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
