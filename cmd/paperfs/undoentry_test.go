package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"
	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// entries lists what is kept at or below a path of the mount, newest first.
func (e *environment) entries(path string) []control.Kept {
	e.t.Helper()
	var u control.Undone
	require.NoError(e.t, json.Unmarshal([]byte(e.succeed("undo", "--json", "--list", e.path("ipaper", path))), &u))
	require.Empty(e.t, u.Back)
	return u.Entries
}

// entry returns the number of the newest entry of a kind that is called so.
func (e *environment) entry(kind, name string) string {
	e.t.Helper()
	all := e.entries("")
	i := slices.IndexFunc(all, func(k control.Kept) bool { return k.Kind == kind && k.Name == name })
	require.GreaterOrEqual(e.t, i, 0, "%s %s: %+v", kind, name, all)
	return fmt.Sprint(all[i].Entry)
}

// TestEntriesComeBackOneByOne deletes and replaces things of each kind, some at one path, and brings back one at a time, in a
// mount with nothing configured.
func TestEntriesComeBackOneByOne(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	media := e.path("ipaper", "media")
	require.Equal(t, "The service keeps nothing that was deleted or replaced at or below "+media+".\n", e.succeed("undo", "--list", media))
	e.must("mkdir -p media/d/sub papers/A papers/A/S.paper papers/A/T.paper && ! test -e .paperfs/deleted")
	e.must("for i in one two three; do echo $i > media/d/sub/f; done; cat papers/A/S.paper/id > ../id; rm -r media/d; rmdir papers/A/* papers/A")
	all := e.entries("")
	require.Len(t, all, 8)
	listed := e.succeed("undo", "--list", e.path("ipaper", "papers"))
	require.Regexp(t, `(?m)^ENTRY +KIND +WHAT +WHEN +ACCOUNT +SIZE +PATH\n`+e.entry("category", "A")+`\* +category "A" +deleted +20\d\d-.* APIKey +/papers/a\n`, listed)
	require.Contains(t, listed, "paperfs undo "+e.path("ipaper", "papers")+" ENTRY\n")

	require.Contains(t, e.succeed("undo", e.path("ipaper"), e.entry("paper", "S")), "now /papers/A/S.paper with the address /a/s/\n2 things came back.\n")
	e.must("cmp papers/A/S.paper/id ../id; ! test -e papers/A/T.paper")
	e.fail(cli.ExitFailure, "0 things came back, and 1 not", "undo", media, e.entry("paper", "T")) // it is not there

	f := slices.DeleteFunc(e.entries("media"), func(k control.Kept) bool { return k.Name != "f" }) // three, two, one
	require.Len(t, f, 3)
	require.Equal(t, []bool{false, true, true}, []bool{f[0].Replaced, f[1].Replaced, f[2].Replaced})
	var number []string
	for _, k := range f {
		number = append(number, fmt.Sprint(k.Entry))
	}
	require.Contains(t, e.succeed("undo", media, number[1], e.entry("directory", "sub"), e.entry("directory", "d"), number[1]), "3 things came back.", "with its directories, which are entries themselves")
	require.Equal(t, "two\n", e.must("cat media/d/sub/f"))
	e.succeed("undo", media, number[2])
	require.Equal(t, "one\n", e.must("cat media/d/sub/f"))
	e.must("rm media/d/sub/f && mkdir media/d/sub/f")
	code, stdout, stderr := e.run("undo", media, number[0])
	require.Equal(t, cli.ExitFailure, code)
	require.Contains(t, stdout, "not brought back: another directory is called f now; rename that one, and try again")
	require.Contains(t, stderr, "0 things came back, and 1 not")
}

// TestUndoKnowsTheMountItIsIn brings an entry back without a path, which works inside a mount; a path of digits is no entry.
func TestUndoKnowsTheMountItIsIn(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.set("PAPERFS", program)
	e.mount()
	e.must("mkdir media/7 && cd media/7 && echo one > 1 && rm 1")
	require.Regexp(t, `^ENTRY .*\n1\* +file +deleted .* 4 B +/media/7/1\n`, e.must(`cd media/7 && "$PAPERFS" undo --list`))
	_, err := e.sh(`cd media/7 && "$PAPERFS" undo 7`)
	require.Error(t, err)
	require.Contains(t, e.must(`cd media/7 && "$PAPERFS" undo ./1`), "1 thing came back.")
	e.must("rm media/7/1")
	require.Contains(t, e.must(`cd media && "$PAPERFS" undo 2`), "1 thing came back.")
	require.Equal(t, "one\n", e.must("cat media/7/1"))
}

// TestUndoRefusesWhatIsNotMeant checks that arguments that do not go together are refused in words, before anything happens.
func TestUndoRefusesWhatIsNotMeant(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("echo one > media/f && echo two > media/f && rm media/f")
	media := e.path("ipaper", "media")
	for args, says := range map[string]string{
		"":                                     "give a PATH in a mount, or the number of an entry",
		"0":                                    `"0" is not the number of an entry`,
		media + " x":                           `"x" is not the number of an entry`,
		media + " 9" + strings.Repeat("9", 20): "is not the number of an entry",
		"--list 1":                             "--list takes no ENTRY",
		"--list --purge":                       "exclude each other",
		"--purge --to x 1":                     "exclude each other",
		"--purge":                              "--purge removes entries: give the number",
		"--purge " + media:                     "--purge removes entries: give the number",
		"--to x " + media:                      "--to writes the content of one entry",
		"--to x 1 2":                           "--to writes the content of one entry",
		"--since soon 1":                       `--since "soon": give a time`,
	} {
		e.fail(cli.ExitUsage, says, append([]string{"undo"}, strings.Fields(args)...)...)
	}
	for _, flag := range []string{"--json", "--purge"} {
		code, stdout, _ := e.run("undo", flag, media, "1", "99", "2")
		require.Equal(t, cli.ExitFailure, code)
		require.Contains(t, stdout, "the service keeps no such entry there, or not any more; so nothing was done")
	}
	require.Len(t, e.entries(""), 2)
	require.Empty(t, e.must("ls media"))
}

// TestUndoWritesContentBeside writes what was deleted to files here and in the mount: whole or not at all, and over no other
// file unless that is said.
func TestUndoWritesContentBeside(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir media/d ../out && head -c 3000000 /dev/urandom > ../large && cp ../large media/d/large && rm -r media/d && echo other > ../other")
	large, dir := e.entry("file", "large"), e.entry("directory", "d")
	to := func(file string, args ...string) []string {
		return append(args, "undo", "--to", file, e.path("ipaper"), large)
	}
	require.Contains(t, e.succeed(to(e.path("out", "a"))...), "has the content of /media/d/large that was deleted at 20")
	e.succeed(to(e.path("ipaper", "media", "a.bin"))...)
	e.must("touch ../new && test $(stat -c %a ../out/a) = $(stat -c %a ../new)")
	e.must("cmp ../out/a ../large && cmp media/a.bin ../large && test $(ls -A media) = a.bin")
	code, stdout, _ := e.run(to("-")...)
	require.Equal(t, cli.ExitOK, code)
	require.Len(t, stdout, 3000000)

	e.fail(cli.ExitFailure, "exists: give another name", to(e.path("other"))...)
	e.fail(cli.ExitFailure, "exists: give another name", to(e.path("out"))...)
	e.fail(cli.ExitFailure, "no such file or directory", to(e.path("none", "a"))...)
	e.fail(cli.ExitFailure, "which has no content of its own: `paperfs undo "+e.path("ipaper")+" "+dir, "undo", "--to", e.path("x"), e.path("ipaper"), dir)
	e.fail(cli.ExitFailure, "the service keeps no entry 99 at or below", "undo", "--to", e.path("x"), e.path("ipaper"), "99")
	require.Equal(t, "other\n", e.must("cat ../other; ! test -e ../x"))
	var k control.Kept
	require.NoError(t, json.Unmarshal([]byte(e.succeed(append(to(e.path("fresh")), "--json")...)), &k))
	require.Equal(t, "media/d/large", k.Path)
	e.must("cmp ../fresh ../large && test $(ls -A ../out) = a")

	disk := e.smallDisk("2m")
	e.fail(cli.ExitFailure, "no space left on device", to(disk+"/a")...)
	require.Empty(t, e.must("ls -A "+disk+" | grep -v lost+found || true"))
	require.Len(t, e.entries("media"), 2, "nothing came back")
}

// TestAWriteOutThatEndsEarly interrupts a command that writes content out, and has an answer of the service break off: no part
// of the content stays.
func TestAWriteOutThatEndsEarly(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("mkdir ../out && head -c 3000000 /dev/urandom > ../large && cp ../large media/large && rm media/large")
	to := []string{"undo", "--to", e.path("out", "a"), e.path("ipaper"), "1"}
	release := proxy.Freeze(remote.GetContent)
	p := e.start(to...)
	require.Eventually(t, func() bool { return e.must("ls -A ../out") != "" }, testrun.Patience(), time.Millisecond)
	p.signal(syscall.SIGINT)
	require.NotEqual(t, cli.ExitOK, p.wait())
	require.Empty(t, e.must("ls -A ../out"))
	release()

	proxy.Cut(remote.GetContent, 1, 1000000)
	e.fail(cli.ExitFailure, "a was not written: the service sent 1000000 bytes of 3000000", to...)
	require.Empty(t, e.must("ls -A ../out"))
	e.succeed(to...)
	e.must("cmp ../out/a ../large && test $(ls -A ../out) = a")
}

// TestEntriesAreRemovedForGood purges entries, which a mount that deletes nothing refuses.
func TestEntriesAreRemovedForGood(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--no-delete")
	e.must("echo one > media/f; echo two > media/f; echo three > media/f")
	code, stdout, _ := e.run("undo", "--purge", e.path("ipaper"), "1")
	require.Equal(t, cli.ExitFailure, code)
	require.Contains(t, stdout, "not removed: this mount deletes nothing: mount without --no-delete")
	require.Len(t, e.entries(""), 2)
	e.succeed("umount", e.path("ipaper"))
	e.mount()
	require.Contains(t, e.succeed("undo", "--purge", e.path("ipaper"), "1"), "/media/f  removed for good\n1 thing removed for good.\n")
	require.Equal(t, int64(2), e.entries("")[0].Entry)
	e.fail(cli.ExitFailure, "0 things removed for good, and 1 not", "undo", "--purge", e.path("ipaper"), "1")
	e.succeed("undo", e.path("ipaper"))
	require.Equal(t, "two\n", e.must("cat media/f"))
}

// TestAnEarlierPDFComesBackByItsEntry reads a PDF that was replaced, has it processed again, and makes another paper of one.
func TestAnEarlierPDFComesBackByItsEntry(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	e.compiled(ownData)
	e.mount()
	sent := func(paper string) string {
		e.succeed("wait", e.path("ipaper", "papers", paper))
		return e.must("cat papers/" + paper + "/pages/001/text.txt")
	}
	for _, text := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(e.path(text+".pdf"), pdftest.Text(text), 0o644))
		e.must("rsync -a ../" + text + ".pdf papers/p.pdf")
		require.Equal(t, text, sent("p.paper"))
	}
	one := e.entry("pdf", "p")
	e.succeed("undo", "--to", e.path("was.pdf"), e.path("ipaper"), one)
	e.succeed("undo", "--to", e.path("ipaper", "papers", "q.pdf"), e.path("ipaper"), one)
	e.must("cmp ../was.pdf ../one.pdf")
	require.Equal(t, "one", sent("q.paper"))
	e.succeed("undo", e.path("ipaper", "papers", "p.paper"), one)
	require.Equal(t, "one", sent("p.paper"))
	e.must("cp ../two.pdf papers/p.paper/source.pdf") // no colleague has changed it
	require.Equal(t, "two", sent("p.paper"))
}

// TestEntriesCostAListingAndOneRequestEach counts the requests of undo by entries.
func TestEntriesCostAListingAndOneRequestEach(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("mkdir media/d && for i in $(seq 30); do echo $i > media/d/$i; done && rm -r media/d")
	cost := func(most uint64, args ...string) {
		t.Helper()
		before := proxy.Total()
		e.succeed(append([]string{"undo", e.path("ipaper")}, args...)...)
		require.Equal(t, most, uint64(proxy.Total()-before), "%v", args)
	}
	cost(2, "--to", e.path("x"), "7")
	cost(4, "--purge", "1", "2", "3")
	cost(5, "4", "5") // the trees, too
	require.Equal(t, "4\n5\n", e.must("cat media/d/*"))
}

// TestAnEntryThatIsGone checks what undo says of what others have purged, and of an answer that was lost.
func TestAnEntryThatIsGone(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("for i in one two three; do echo $i > media/f; done; rm media/f")
	proxy.Cut(remote.Purge, 1, 0)
	require.Contains(t, e.succeed("undo", "--purge", e.path("ipaper"), "1"), "1 thing removed for good.")
	proxy.Cut(remote.Restore, 1, 0)
	require.Contains(t, e.succeed("undo", e.path("ipaper"), "3"), "1 thing came back.")
	require.Equal(t, "three\n", e.must("cat media/f"))
	proxy.CutRequest(remote.Restore, 1, 10)
	code, stdout, _ := e.run("undo", e.path("ipaper"), "2")
	require.Equal(t, cli.ExitFailure, code)
	require.Contains(t, stdout, "not brought back: the service cannot be reached")
	require.Contains(t, e.succeed("undo", e.path("ipaper"), "2"), "1 thing came back.")
	require.Equal(t, "two\n", e.must("cat media/f"))
}

// TestWhatOthersTookAwayIsListed checks that an editor sees what a colleague deleted, may write it out, and is told that only
// an administrator brings it back.
func TestWhatOthersTookAwayIsListed(t *testing.T) {
	t.Parallel()
	e, f := newEnvironment(t), servicetest.Start(t)
	for _, name := range []string{"colleague", "editor"} {
		key := testrun.Must(f.Admin().AddAccount("default", name, remote.Editor))(t)
		e.profiles("[" + name + "]\nurl = \"" + f.URL + "\"\nusername = \"" + name + "\"\npassword = \"" + key + "\"\n")
		e.mount("--allow-delete", "--rpm=0", name)
		if name == "colleague" {
			e.must("echo theirs > media/f && rm media/f")
			e.succeed("umount", e.path("ipaper"))
		}
	}
	require.Equal(t, "colleague", e.entries("media")[0].Account)
	require.NotContains(t, e.succeed("undo", "--list", e.path("ipaper")), "those with *")
	require.Equal(t, "theirs\n", e.succeed("undo", "--to", "-", e.path("ipaper"), "1"))
	for _, args := range [][]string{{"1"}, {"--purge", "1"}} {
		code, stdout, _ := e.run(append([]string{"undo", e.path("ipaper")}, args...)...)
		require.Equal(t, cli.ExitFailure, code)
		require.Contains(t, stdout, "Another account took this away; an administrator may restore or purge it.")
	}
}
