package main

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// TestDeletedThingsAreFiles lists, reads, restores and purges with programs what a mount has deleted.
func TestDeletedThingsAreFiles(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir -p media/d media/e papers/A papers/A/S.paper && echo one > media/d/f && head -c 3000000 /dev/urandom > ../large && cp ../large media/large")
	require.Empty(t, e.must("ls .paperfs/deleted"))
	e.must("id=$(cat papers/A/S.paper/id); rm -r media/d media/large; rmdir papers/A/S.paper papers/A; echo $id > ../id")
	require.Equal(t, "A S.paper d f large\n", e.must("cd .paperfs/deleted; echo *"))
	require.Equal(t, "3000000\nf\n", e.must("cd .paperfs/deleted; stat -c %s large; find . -newermt '-1 hour' -name f -printf '%f\\n'"))
	e.must("cmp .paperfs/deleted/large ../large && cp .paperfs/deleted/large ../copy && cmp ../copy ../large")
	e.must("! (true > .paperfs/deleted/large) 2> /dev/null && ! truncate -s 1 .paperfs/deleted/large 2> /dev/null && cmp .paperfs/deleted/large ../large")
	require.Equal(t, "644\n", e.must("cp .paperfs/deleted/f media/copy && stat -c %a media/copy && echo more >> media/copy && rm media/copy; rm .paperfs/deleted/copy*"))
	e.must("tail -c 1000001 .paperfs/deleted/large > ../tail; tail -c 1000001 ../large | cmp - ../tail")
	e.must("dd if=.paperfs/deleted/large bs=999 skip=7 count=3 2>/dev/null > ../part; dd if=../large bs=999 skip=7 count=3 2>/dev/null | cmp - ../part")
	require.Contains(t, e.must("cat .paperfs/deleted/S.paper"), `The paper "S" was deleted by `)
	e.must("grep -r deleted .paperfs/deleted/A && tar cf ../all.tar .paperfs/deleted")

	e.must("mv .paperfs/deleted/large media/e/again && cmp media/e/again ../large")
	e.must("mv .paperfs/deleted/d media/e/d && test -d media/e/d && mv .paperfs/deleted/f media/e/d/ && test $(cat media/e/d/f) = one")
	e.must("mv .paperfs/deleted/S.paper papers/Summer.paper && cmp papers/Summer.paper/id ../id")
	e.must("mv .paperfs/deleted/A papers/B && test -d papers/B/.category")
	require.Empty(t, e.must("ls .paperfs/deleted"))

	e.must("rm media/e/again && rm .paperfs/deleted/again && test -z \"$(ls .paperfs/deleted)\"")
	e.must("rm -r media/e; rm -f .paperfs/deleted/*; test -z \"$(ls .paperfs/deleted)\"")
}

// TestRemovingAWholeMountPurgesNothing checks that what walks a mount to remove everything does not find what the service keeps.
func TestRemovingAWholeMountPurgesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir -p media/d papers/A && echo one > media/d/f && ls .paperfs/deleted && ls -a .paperfs")
	_, err := e.sh("rm -r .")
	require.Error(t, err)
	_, err = e.sh("rm -rf media papers .paperfs; find . -delete")
	require.Error(t, err)
	require.Equal(t, "A d f\n", e.must("test -z \"$(ls media)$(ls papers)\"; cd .paperfs/deleted; echo *"))
	e.succeed("undo", e.path("ipaper"))
	require.Equal(t, "one\n", e.must("test -d papers/A && cat media/d/f"))
}

// TestNamesOfDeletedThingsMeet deletes things of one name, and replaces a file: each has its number.
func TestNamesOfDeletedThingsMeet(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir media/a media/b && echo one > media/a/f && echo two > media/b/f && rm media/a/f && ls .paperfs/deleted/f && rm media/b/f")
	require.Equal(t, "f~1 f~2\n", e.must("cd .paperfs/deleted; echo *"))
	require.Equal(t, "one two\n", e.must("cd .paperfs/deleted; echo $(cat f~1) $(cat f~2)"))
	e.must("! cat .paperfs/deleted/f 2>/dev/null && mv .paperfs/deleted/f~1 media/f && test $(cat media/f) = one && test $(cat .paperfs/deleted/f) = two")

	e.must("cd media; rm ../.paperfs/deleted/f; echo three > f; test $(cat ../.paperfs/deleted/f) = one; echo four > f; rm f; echo five > f; ls ../.paperfs/deleted")
	e.must("cd media; old=$(grep -l one ../.paperfs/deleted/*); mv $old copied && test $(cat copied) = one && test ! -e $old && test $(cat f) = five")
	e.must("cd media; old=$(grep -l three ../.paperfs/deleted/*); mv $old f && test $(cat f) = three && grep -q five ../.paperfs/deleted/*")
	e.must("cd media; old=$(grep -l four ../.paperfs/deleted/*); mv -f $old copied && test $(cat copied) = four && ! grep -q four ../.paperfs/deleted/*")
}

// TestTheNumberedNameOfADeletedThingStays checks that NAME~ENTRY leads to an entry also when no other has its name any
// more, and that what was called like that itself is another one.
func TestTheNumberedNameOfADeletedThingStays(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir media/a media/b && echo one > media/a/f && echo two > media/b/f && rm media/a/f media/b/f")
	e.must("for f in .paperfs/deleted/f~*; do mv $f media/back-${f#*~} || exit; done; test $(cat media/back-1) = one; test $(cat media/back-2) = two")
	e.must("rm media/back-1 && test $(cat .paperfs/deleted/back-1~3) = one && rm .paperfs/deleted/back-1~3")

	e.must("echo three > media/a/f && echo four > media/b/f && rm media/a/f media/b/f && echo five > media/f~4 && rm media/f~4")
	require.Equal(t, "f~4 f~4~6 f~5\n", e.must("cd .paperfs/deleted; echo *"))
	require.Equal(t, "three four five\n", e.must("cd .paperfs/deleted; echo $(cat f~4) $(cat f~5) $(cat f~4~6)"))
	e.must("rm .paperfs/deleted/*; test -z \"$(ls .paperfs/deleted)\"")
}

// TestWhatHasNoContentIsNotMovedAway checks that mv to another file system, which copies and removes, purges no paper,
// category or directory: the copy is but a text.
func TestWhatHasNoContentIsNotMovedAway(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir -p papers/A papers/A/S.paper media/d && echo one > media/f && rm media/f && rmdir media/d papers/A/S.paper papers/A && mkdir ../out")
	for range 2 {
		out, err := e.sh("mv .paperfs/deleted/* ../out/")
		require.Error(t, err)
		require.Contains(t, out, "cannot remove '.paperfs/deleted/S.paper': Operation not permitted")
		require.Equal(t, "A S.paper d\n", e.must("cd .paperfs/deleted; echo *"))
		require.Contains(t, e.must("test $(cat ../out/f) = one; cat .paperfs/errors"), "only the text that tells about it was copied")
	}
	e.must("mv .paperfs/deleted/S.paper papers/ && cat .paperfs/deleted/* && rm .paperfs/deleted/* && test -z \"$(ls .paperfs/deleted)\"")
}

// TestChangesThatDeletedRefuses checks what programs cannot do with what was deleted, and what they are told.
func TestChangesThatDeletedRefuses(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir -p media/d/e papers/A.paper papers/B && rm -r media/d && rmdir papers/A.paper && mkdir media/e")
	for script, says := range map[string]string{
		"mkdir .paperfs/deleted/x":                 "mv into media/ or papers/ brings back",
		"echo x > .paperfs/deleted/x":              "mv into media/ or papers/ brings back",
		"rmdir .paperfs/deleted":                   "",
		"mv .paperfs/deleted/d .paperfs/deleted/x": "as you move it into media/ or papers/",
		"mv .paperfs/deleted/d papers/d":           "a directory comes back in media/",
		"mv .paperfs/deleted/A.paper media/A":      "a paper comes back in papers/",
		"mv .paperfs/deleted/A.paper papers/A":     "the name of a paper ends in .paper",
		"mv .paperfs/deleted/d papers/B/.x":        "a directory comes back in media/",
		"mv media/e .paperfs/deleted/":             "",
		"echo x >> .paperfs/deleted/d":             "",
		"ln -s x .paperfs/deleted/y":               "mv into media/ or papers/ brings back",
	} {
		out, err := e.sh(script)
		require.Error(t, err, script)
		if says != "" {
			require.Contains(t, e.must("cat .paperfs/errors"), says, script+": "+out)
		}
	}
	require.Equal(t, "A.paper d e\n", e.must("cd .paperfs/deleted; echo *"))
	err := syscall.Rename(e.path("ipaper", ".paperfs/deleted/d"), e.path("ipaper", "media/e"))
	require.Equal(t, syscall.EISDIR, err)
}

// TestAnEarlierPDFIsAFile reads a PDF that was replaced, and has it processed again by mv onto the paper's.
func TestAnEarlierPDFIsAFile(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.program = plain(t)
	e.compiled(ownData)
	e.mount()
	for _, text := range []string{"one", "two"} {
		require.NoError(t, os.WriteFile(e.path(text+".pdf"), pdftest.Text(text), 0o644))
		e.must("rsync -a ../" + text + ".pdf papers/p.pdf")
		e.succeed("wait", e.path("ipaper", "papers", "p.paper"))
	}
	e.must("cmp .paperfs/deleted/p.pdf ../one.pdf && mv .paperfs/deleted/p.pdf papers/p.paper/source.pdf")
	e.succeed("wait", e.path("ipaper", "papers", "p.paper"))
	require.Equal(t, "one", e.must("cat papers/p.paper/pages/001/text.txt"))
	e.must("cp ../two.pdf papers/p.paper/source.pdf") // no colleague has changed it
	e.succeed("wait", e.path("ipaper", "papers", "p.paper"))
	e.succeed("undo", e.path("ipaper", "papers", "p.paper"))
	e.succeed("wait", e.path("ipaper", "papers", "p.paper"))
	e.must("cp ../one.pdf papers/p.paper/source.pdf")
	e.must("for f in .paperfs/deleted/*; do cmp -s $f ../two.pdf && break; done; cmp $f ../two.pdf && mv $f papers/q.pdf")
	e.succeed("wait", e.path("ipaper", "papers", "q.paper"))
	require.Equal(t, "two", e.must("cat papers/q.paper/pages/001/text.txt"))
}

// TestListingDeletedThingsCostsOneRequest lists many, also with their attributes.
func TestListingDeletedThingsCostsOneRequest(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("mkdir media/d && for i in $(seq 30); do echo $i > media/d/$i; done && rm -r media/d")
	before := proxy.Total()
	require.Equal(t, "31\n", e.must("ls -l .paperfs/deleted | tail -n +2 | wc -l"))
	require.Equal(t, before+1, proxy.Total())
	e.must("test -e .paperfs/deleted/.hidden || cat .paperfs/deleted/7")
	require.Equal(t, before+2, proxy.Total(), "GetContent alone")
	e.must("rm .paperfs/deleted/[1-9]")
	require.Equal(t, before+12, proxy.Total(), "a listing, and nine Purges")
	e.must("mv .paperfs/deleted/10 media/again")
	require.Equal(t, before+14, proxy.Total(), "Restore and GetTree")
	e.must("mv .paperfs/deleted/11 .paperfs/deleted/12 .paperfs/deleted/13 media/")
	require.Equal(t, before+20, proxy.Total(), "the same thrice, and no listing")
}

// TestADeletedThingThatIsGone checks what programs are told of what others have purged since it was listed, and rm of an
// answer that was lost.
func TestADeletedThingThatIsGone(t *testing.T) {
	t.Parallel()
	e, f, proxy := mountProxied(t)
	entry := int64(0)
	gone := func(script, says string) {
		e.must("echo one > media/f && rm media/f && ls -l .paperfs/deleted/f")
		entry++
		_, err := f.Admin().PurgeDeleted("default", []int64{entry})
		require.NoError(t, err)
		out, err := e.sh(script)
		require.Equal(t, says == "", err == nil, out)
		require.Contains(t, out, says)
		require.Empty(t, e.must("ls .paperfs/deleted"))
	}
	gone("cat .paperfs/deleted/f", "Stale file handle")
	gone("rm .paperfs/deleted/f", "No such file or directory")
	gone("rm -f .paperfs/deleted/f && test ! -e .paperfs/deleted/f", "")
	gone("mv .paperfs/deleted/f media/g", "No such file or directory")

	e.must("echo one > media/f && rm media/f")
	proxy.Cut(remote.Purge, 1, 0)
	e.must("rm -f .paperfs/deleted/f && test -z \"$(ls .paperfs/deleted)\"")
}

// TestAMountThatDeletesNothingPurgesNothing checks that rm in deleted/ needs what rm in media/ does.
func TestAMountThatDeletesNothingPurgesNothing(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--no-delete")
	e.must("echo one > media/f; echo two > media/f; echo $(cat .paperfs/deleted/f) | grep -q one")
	_, err := e.sh("rm -f .paperfs/deleted/f")
	require.Error(t, err)
	require.Contains(t, e.must("cat .paperfs/errors"), "mount without --no-delete")
	e.must("test $(cat .paperfs/deleted/f) = one")
}
