package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	"paperfs/remote/testrun"
)

// TestWhatProgramsTakeAwayComesBack removes and replaces with programs what a mount with nothing configured has in
// media/, and undoes each in one command.
func TestWhatProgramsTakeAwayComesBack(t *testing.T) {
	t.Parallel()
	const fill = "mkdir -p media/logos/old && echo one > media/logos/a && echo two > media/logos/old/b && echo page > media/page && cp -r media ../before"
	for name, harm := range map[string]string{
		"rm -r":          "rm -r media/logos",
		"find -delete":   "find media -mindepth 1 -delete",
		"rsync --delete": "mkdir ../wrong && rsync -r --delete ../wrong/ media/",
		"an overwrite":   "echo new > media/page && echo newer > media/logos/a",
		"twice":          "echo new > media/page && rm media/page && echo newer > media/page",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnvironment(t)
			e.mount()
			e.must(fill)
			e.must(harm)
			require.Contains(t, e.succeed("undo", "--list", e.path("ipaper", "media")), "To bring back those with *, run: ")
			e.must("! diff -r media ../before")
			require.Contains(t, e.succeed("undo", e.path("ipaper", "media")), "came back")
			e.must("diff -r ../before media")
		})
	}
}

// TestPapersThatWereRemovedComeBack removes papers and categories, and undoes that by their names.
func TestPapersThatWereRemovedComeBack(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	e.must("mkdir papers/Größe papers/Größe/Old && mkdir 'papers/Größe/Spring 1.paper' papers/Größe/Old/S.paper")
	ids := e.must("cat papers/Größe/*/id papers/Größe/Old/*/id")
	everything := e.must("find papers -name '*.paper' -o -name Old | sort")
	for remove, path := range map[string]string{
		"rmdir 'papers/Größe/Spring 1.paper'":             "papers/Größe/Spring 1.paper",
		"rmdir papers/Größe/Old/S.paper papers/Größe/Old": "papers/Größe/Old",
		"find papers -mindepth 1 -delete; true":           "papers",
	} {
		e.must(remove)
		require.NotEqual(t, everything, e.must("find papers -name '*.paper' -o -name Old | sort"))
		require.Contains(t, e.succeed("undo", "--list", e.path("ipaper", path)), `paper "S`, path)
		require.Contains(t, e.succeed("undo", e.path("ipaper", path)), "came back", path)
		require.Equal(t, everything, e.must("find papers -name '*.paper' -o -name Old | sort"))
		require.Equal(t, ids, e.must("cat papers/Größe/*/id papers/Größe/Old/*/id"))
	}
}

// TestUndoKnowsPapersByTheirIds checks that undo in papers/ brings back what was there, whatever has the names and
// addresses now.
func TestUndoKnowsPapersByTheirIds(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	papers := func() string { return e.must("cd papers && find . -name '*.paper' | sort") }
	undo := func(path string) string { return e.succeed("undo", e.path("ipaper", "papers", path)) }

	e.must("mkdir papers/A papers/A/Old.paper && rmdir papers/A/Old.paper && mkdir papers/A/old.paper")
	e.fail(cli.ExitFailure, "can be brought back", "undo", e.path("ipaper", "papers", "A", "old.paper"))
	require.Equal(t, "./A/old.paper\n", papers(), "another paper had its address")

	e.must("mkdir papers/A/B papers/A/B/deep.paper && mv papers/A papers/C && rmdir papers/C/B/deep.paper papers/C/B papers/C/old.paper papers/C && mkdir papers/A")
	e.fail(cli.ExitFailure, "can be brought back", "undo", e.path("ipaper", "papers", "A"))
	require.Contains(t, undo("C"), "5 things came back")
	require.Equal(t, "./C/B/deep.paper\n./C/Old.paper\n./C/old.paper\n", papers())

	e.must("rmdir papers/C/B/deep.paper && mv papers/C papers/D && mkdir papers/C")
	require.Contains(t, undo("D/B/deep.paper/source.pdf"), "1 thing came back", "a file in a paper that is not there")
	e.must("mkdir papers/E papers/E/O.paper && cat papers/E/O.paper/id > ../id && rmdir papers/E/O.paper && mkdir papers/E/O.paper")
	require.Contains(t, undo("E/O.paper"), "1 thing came back", "another paper has its name, and nothing of that was taken away")
	e.must("cat papers/E/*/id | grep -qx $(cat ../id) && (cd papers/E && set -- * && rmdir $1 && rmdir *) && rmdir papers/E")

	e.must("rmdir papers/D/Old.paper")
	require.Contains(t, undo("D/Old.pdf"), "1 thing came back", "a PDF beside a paper that is not there")
	require.Equal(t, "./D/B/deep.paper\n./D/Old.paper\n./D/old.paper\n", papers())
}

// TestAPDFThatWasReplacedComesBack undoes a replaced PDF: the mount then knows that the paper has not the one that
// it sent last, so that rsync sends that again.
func TestAPDFThatWasReplacedComesBack(t *testing.T) {
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
	require.Empty(t, e.must("rsync -ai ../two.pdf papers/p.pdf"))
	require.Contains(t, e.succeed("undo", e.path("ipaper", "papers", "p.pdf")), "1 thing came back")
	require.Eventually(t, func() bool {
		e.succeed("refresh", e.path("ipaper"))
		return e.must("cat papers/p.paper/pages/001/text.txt") == "one"
	}, testrun.Patience(), 100*time.Millisecond)
	e.fail(cli.ExitFailure, "can be brought back", "undo", e.path("ipaper", "papers"))
	e.succeed("refresh", e.path("ipaper")) // the last one may have been before the job ended, and has another edition
	require.NotEmpty(t, e.must("rsync -ai ../two.pdf papers/p.pdf"))
}

// TestUndoCostsFourRequests removes many files of a service and brings them back.
func TestUndoCostsFourRequests(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("mkdir media/d && for i in $(seq 30); do echo $i > media/d/$i; done && rm -r media/d")
	before := proxy.Total()
	e.succeed("undo", "--list", e.path("ipaper"))
	require.Equal(t, before+1, proxy.Total())
	require.Contains(t, e.succeed("undo", e.path("ipaper")), "31 things came back.")
	require.Equal(t, before+5, proxy.Total())
	require.Equal(t, "30\n", e.must("ls media/d | wc -l"))
}

// TestAnUndoWhoseAnswerIsLost checks that undo says what came back, so that nobody repeats it, which would go further back.
func TestAnUndoWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	e.must("mkdir media/d && for i in $(seq 3); do echo $i > media/d/$i; done && echo changed > media/d/1 && rm media/d/2")
	proxy.Cut(remote.Restore, 1, 0)
	require.Contains(t, e.succeed("undo", e.path("ipaper")), "2 things came back.")
	require.Equal(t, "1\n2\n3\n", e.must("cat media/d/*"))

	e.must("rm media/d/2")
	proxy.CutRequest(remote.Restore, 1, 10) // nothing came back
	e.fail(cli.ExitFailure, "host is down", "undo", e.path("ipaper"))
	require.Equal(t, "1\n3\n", e.must("cat media/d/*"))
	require.Contains(t, e.succeed("undo", e.path("ipaper")), "1 thing came back.")
}

// TestAnUndoOfAPDFWhoseAnswerIsLost is the same for a PDF.
func TestAnUndoOfAPDFWhoseAnswerIsLost(t *testing.T) {
	t.Parallel()
	e, _, proxy := mountProxied(t)
	for _, text := range []string{"one", "two", "three"} {
		require.NoError(t, os.WriteFile(e.path(text+".pdf"), pdftest.Text(text), 0o644))
		e.must("cp ../" + text + ".pdf papers/p.pdf")
		e.succeed("wait", e.path("ipaper", "papers", "p.paper"))
	}
	proxy.Cut(remote.Restore, 1, 0)
	require.Contains(t, e.succeed("undo", e.path("ipaper", "papers")), "1 thing came back.")
	e.must("! cmp -s ../three.pdf papers/p.pdf")
	require.Eventually(t, func() bool {
		e.succeed("refresh", e.path("ipaper"))
		return e.must("cat papers/p.paper/pages/001/text.txt") == "one"
	}, testrun.Patience(), 100*time.Millisecond)
}

// TestContentAfterAnUndoIsNoConflictWithIt checks with --write-back that undo takes back what is still on its way, so that
// what a program writes after that is no conflict.
func TestContentAfterAnUndoIsNoConflictWithIt(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"one", "one two"} {
		e, _, proxy := mountProxied(t)
		e.succeed("umount", e.path("ipaper"))
		e.mount("--allow-delete", "--rpm=0", "--write-back")
		for word := range strings.FieldsSeq(before) {
			e.must("echo " + word + " > media/f")
			e.succeed("wait", e.path("ipaper"))
		}
		release := proxy.Freeze(remote.UploadFile)
		e.must("echo queued > media/f")
		asked := e.start("undo", e.path("ipaper", "media"))
		select {
		case <-asked.ended:
		case <-time.After(time.Second):
		}
		release()
		<-asked.ended
		require.Equal(t, "one\n", e.must("cat media/f"), before)
		e.must("echo after > media/f")
		e.succeed("wait", e.path("ipaper"))
		require.Equal(t, "after\n", e.must("cat media/f"), before)
		require.Empty(t, e.must("ls .paperfs/failed; cat .paperfs/errors"), before)
	}
}

// TestUndoSaysWhatItCannot checks the answers where nothing, or not all, comes back.
func TestUndoSaysWhatItCannot(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	media := e.path("ipaper", "media")
	e.fail(cli.ExitFailure, "nothing that your account deleted or replaced at or below "+media+" can be brought back", "undo", media)
	for _, since := range []string{"soon", ""} {
		e.fail(cli.ExitUsage, fmt.Sprintf("--since %q: give a time", since), "undo", "--since", since, media)
	}
	e.must("mkdir media/a && echo one > media/a/f && rm -r media/a && echo other > media/a")
	code, stdout, stderr := e.run("undo", media)
	require.Equal(t, cli.ExitFailure, code)
	require.Contains(t, stdout, "not brought back: another file is called a now; rename that one, and try again")
	require.Contains(t, stderr, "0 things came back, and 2 not")
	var u control.Undone
	require.NoError(t, json.Unmarshal([]byte(e.succeed("undo", "--json", "--list", "--since", "2h", media)), &u))
	require.NotEmpty(t, u.Entries)
	require.Equal(t, "other\n", string(testrun.Must(os.ReadFile(media+"/a"))(t)))
}

// TestNothingIsDeletedWithoutUndo checks what a mount may delete with nothing said.
func TestNothingIsDeletedWithoutUndo(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount("--no-delete")
	e.must("echo one > media/f && ! rm media/f && mkdir media/d && ! rmdir media/d && test -f media/f")
	e.succeed("umount", e.path("ipaper"))
	e.succeed("admin", "--data", e.path(".local", "share", "paperfs"), "tenant", "set", "--keep-deleted", "0", "default")
	e.mount()
	e.must("! rm media/f && test -f media/f")
	media := e.path("ipaper", "media")
	e.fail(cli.ExitFailure, "operation not supported (`paperfs why "+media+"` says more)", "undo", "--list", media)
	require.Contains(t, e.succeed("why", media), "this service keeps nothing of what is deleted or replaced")
	e.succeed("umount", e.path("ipaper"))
	e.fail(cli.ExitUsage, "--allow-delete and --no-delete contradict each other", "mount", "--allow-delete", "--no-delete", e.path("ipaper"))
}

// TestUndoGoesFurtherBackEachTime undoes one change after the other, the newest first.
func TestUndoGoesFurtherBackEachTime(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	media := e.path("ipaper", "media")
	e.must("echo one > media/f && echo two > media/f")
	since := time.Now().Truncate(time.Second).Add(time.Second) // entries have seconds
	require.Eventually(t, func() bool { return time.Now().After(since) }, testrun.Patience(), time.Millisecond)
	e.must("echo three > media/f")
	e.succeed("undo", "--since", since.Format(time.RFC3339), media)
	require.Equal(t, "two\n", e.must("cat media/f"))
	e.succeed("undo", media)
	require.Equal(t, "one\n", e.must("cat media/f"))
	e.fail(cli.ExitFailure, "can be brought back at once; other versions of what was there are kept. To see them, run: paperfs undo --list "+media+"/f", "undo", media+"/f")
	newest := e.entries("media/f")[0]
	require.False(t, newest.Next)
	e.succeed("undo", media, fmt.Sprint(newest.Entry))
	require.Equal(t, "two\n", e.must("cat media/f"))
}

// TestUndoUnderAnOpenWriter checks that the writer's close neither undoes the undo nor speaks of others alone.
func TestUndoUnderAnOpenWriter(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	file := e.path("ipaper", "media", "f")
	e.must("echo one > media/f && echo two > media/f")
	w := testrun.Must(os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0))(t)
	testrun.Must(w.WriteString("mine\n"))(t)
	e.succeed("undo", file)
	require.ErrorIs(t, w.Close(), syscall.ESTALE)
	require.Equal(t, "one\n", e.must("cat media/f"))
	require.Contains(t, e.must("cat .paperfs/errors"), "or `paperfs undo` has, since")
}

// TestUndoSaysWhatIsWhere brings a paper and a category back beside new ones of their names: the command says the names that
// the mount shows now, and the addresses.
func TestUndoSaysWhatIsWhere(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	e.mount()
	for kind, url := range map[string]string{"X.paper": "url", "Y": ".category/url"} {
		e.must("mkdir -p papers/C && cd papers/C && mkdir " + kind + " X~b" + filepath.Ext(kind) + " && rmdir " + kind + " && mkdir " + kind)
		id := strings.TrimSpace(e.must("cat papers/C/" + kind + "/" + strings.Replace(url, "url", "id", 1)))
		require.NotContains(t, e.succeed("undo", "--list", e.path("ipaper", "papers", "C", kind)), "now /papers")
		said := e.succeed("undo", e.path("ipaper", "papers", "C", kind))
		both := strings.Fields(e.must("cd papers/C && echo " + kind[:1] + "~[0-9]*"))
		require.Len(t, both, 2)
		if strings.Contains(both[0], "~"+id) {
			slices.Reverse(both)
		}
		address := strings.TrimSpace(e.must("cat papers/C/" + both[0] + "/" + url))
		require.Contains(t, said, "now /papers/C/"+both[0]+" with the address "+address+", beside "+both[1]+"\n")
		require.Contains(t, said, "1 thing came back.")
	}
	e.must("cd papers/C && mkdir Z.paper && rmdir Z.paper")
	require.Contains(t, e.succeed("undo", e.path("ipaper", "papers", "C", "Z.paper")), "now /papers/C/Z.paper with the address /c/z/\n")
}
