package mounttest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// fetched makes the mount read the tree.
const fetched = `"$PAPERFS" refresh papers; `

func TestMvRenamesPapersAndCategories(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/Sub papers/B; mkdir papers/A/X.paper papers/A/Sub/Y.paper`)
	id := m.sh(`cat papers/A/X.paper/id`)
	for _, mv := range []string{`mv papers/A/X.paper papers/A/Z.paper`, `mv -n papers/A/Z.paper papers/A/z.paper`,
		`mv -T papers/A/z.paper papers/B/Other.paper`, `cd papers/B; mv Other.paper 'With ／ and ä.paper'`, `cd papers/B; mv With* Z.paper`} {
		assert.Equal(t, []string{"RenamePaper"}, m.cost(mv), mv)
	}
	assert.Equal(t, id+"\n/b/x/", m.sh(`cat papers/B/Z.paper/id papers/B/Z.paper/url`), "the address keeps its last segment")
	assert.Equal(t, "papers/A/Sub/Y.paper papers/B/Z.paper", m.sh(`echo papers/*/*.paper papers/*/*/*.paper | xargs -n 1 | grep -v '\*' | sort | xargs`))
	m.fails(`test -e papers/A/X.paper`)

	assert.Equal(t, []string{"RenamePaper"}, m.cost(`mv papers/A/Sub papers/Under`))
	assert.Equal(t, []string{"RenamePaper"}, m.cost(`mv papers/Under papers/UNDER`))
	assert.Equal(t, "/sub/y/\nA\nB\nUNDER", m.sh(`cat papers/UNDER/Y.paper/url; ls papers`))
	before := m.sh(`find papers | sort`)
	m.remount()
	assert.Equal(t, before, m.sh(`echo > .paperfs/refresh; find papers | sort`))
}

// TestARenameKeepsWhatProgramsHaveOpen checks working directories, open files and inode numbers.
func TestARenameKeepsWhatProgramsHaveOpen(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/A/Sub papers/B; cp "$HOME/two.pdf" papers/A/Sub/Y.pdf; "$PAPERFS" wait papers/A/Sub/Y.paper`)
	const numbers = `$(stat -c %i . .. Y.paper Y.paper/url Y.paper/pages Y.paper/source.pdf | xargs)`
	m.sh(`cd papers/A/Sub; exec 3< Y.paper/source.pdf 4< Y.paper/structure.xml; head -c 100 <&3 > "$HOME/part"; before="` + numbers + `"
		mv ../../A/Sub "$OLDPWD/papers/B/New"; cat <&3 >> "$HOME/part"; cmp "$HOME/part" "$HOME/two.pdf"; grep -q '<paper' <&4
		test "$(pwd -P)" = "$(realpath "$OLDPWD")/papers/B/New"
		before=$(echo $before | cut -d' ' -f1,3-); after="` + numbers + `"; test "$before" = "$(echo $after | cut -d' ' -f1,3-)"
		ls Y.paper/pages; test -e Y.paper/pages/002; mv Y.paper Z.paper; cd Z.paper; mkdir ../Y.paper; cat url; cd ../Y.paper; pwd -P | grep 'New/Y.paper$'`)
	assert.Equal(t, "Y.paper\nZ.paper", m.sh(`ls papers/B/New`))
}

// TestLinksFollowARename checks the links that name a node by its id or address.
func TestLinksFollowARename(t *testing.T) {
	t.Parallel()
	m := newPublisher(t)
	m.sh(`mkdir -p papers/A/B; mkdir papers/A/B/X.paper; echo summer > papers/A/B/X.paper/fields/Season`)
	id := m.sh(`cat papers/A/B/X.paper/id`)
	links := `readlink by-id/` + id + ` by-url/a/b/x; ls papers/A*/.search/fields/Season=summer; cat papers/A*/.search/fields/Season=summer/*/id`
	assert.Equal(t, "../papers/A/B/X.paper\n../../../papers/A/B/X.paper\n001 X.paper\nresults.xml\n"+id, m.sh(links))
	m.sh(`mv papers/A papers/A2; mv papers/A2/B/X.paper papers/A2/B/Y.paper`)
	assert.Equal(t, "../papers/A2/B/Y.paper\n../../../papers/A2/B/Y.paper\n001 Y.paper\nresults.xml\n"+id, m.sh(links))
}

// TestANameThatCarriesAnIDIsRenamedPlainly checks papers that have the same name at the service.
func TestANameThatCarriesAnIDIsRenamedPlainly(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A`)
	c, at := m.client(), remote.Node{ID: m.idOf("papers/A"), URL: "/a/"}
	for _, address := range []string{"one", "two", "three"} {
		testrun.Must(c.CreatePaper(t.Context(), at, "X", address))(t)
	}
	m.sh(`echo > .paperfs/refresh`)
	m.eventually(`test $(ls papers/A | grep -c '^X~') = 3`)
	assert.Contains(t, m.fails(`cd papers/A; set -- X~*; mv "$1" X.paper`)+m.sh(`tail -1 .paperfs/errors`), "there are already nodes called")
	m.sh(`cd papers/A; set -- X~*; mv "$1" Y.paper; mv "$2" Z.paper`)
	assert.Equal(t, "X.paper\nY.paper\nZ.paper", m.sh(`ls papers/A`), "the last one needs no id any more")
	assert.Equal(t, "/a/one/\n/a/two/\n/a/three/", m.sh(`cd papers/A; cat Y.paper/url Z.paper/url X.paper/url`))
}

// TestARenameReplacesNothing checks targets that are there, as programs and file managers meet them.
func TestARenameReplacesNothing(t *testing.T) {
	t.Parallel()
	testrun.Program(t, "python3")
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/A papers/A/X.paper papers/A/Y.paper papers/Empty`)
	m.proxy.Reset()
	m.sh(`python3 -c ` + quoted(`import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for a, b in (("papers/A/X.paper", "papers/A/Y.paper"), ("papers/A", "papers/Empty")):
    for flags in (0, 1):
        assert libc.renameat2(-100, a.encode(), -100, b.encode(), flags) == -1, (a, b, flags)
        assert os.strerror(ctypes.get_errno()) == "File exists", (a, b, flags, os.strerror(ctypes.get_errno()))`))
	assert.Contains(t, m.fails(`mv papers/A/X.paper papers/A/Y.paper`), "not supported", "mv moves it into a directory")
	m.sh(`mv -n -T papers/A/X.paper papers/A/Y.paper || true`)
	m.sh(`exec 3> papers/A/Z.pdf; cat "$HOME/two.pdf" >&3; ! mv papers/A/X.paper papers/A/Z.paper 2> "$HOME/said"; grep "cannot overwrite\|exists" "$HOME/said" || { cat "$HOME/said"; exit 3; }; exec 3>&-; "$PAPERFS" wait papers/A/Z.paper`)
	assert.Zero(t, m.proxy.Count(remote.RenamePaper))
	assert.Equal(t, "X.paper\nY.paper\nZ.paper", m.sh(`ls papers/A`))
}

// busyOrGone is what mv says at EBUSY: it looks at the name again, which may already be gone.
const busyOrGone = "busy|cannot stat"

// TestAColleagueRenamedTheSame checks a change of a name that is not what the mount shows.
func TestAColleagueRenamedTheSame(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A papers/B papers/A/X.paper; echo > .paperfs/refresh; "$PAPERFS" refresh papers; ls papers/A`)
	paper := number(m.sh(`cat papers/A/X.paper/id`))
	for i, gesture := range []string{`mv papers/A/%.paper papers/A/Mine.paper`, `mv papers/A/%.paper papers/B/`, `rmdir papers/A/%.paper`} {
		theirs := strings.Repeat("Y", i+1)
		shown := m.sh(`basename papers/A/*.paper .paper`)
		require.NoError(t, m.client().RenamePaper(t.Context(), paper, theirs, 0))
		assert.Regexp(t, busyOrGone, m.fails(strings.ReplaceAll(gesture, "%", shown)), gesture)
		assert.Contains(t, m.sh(`"$PAPERFS" why papers/A/`+shown+`.paper || true; tail -1 .paperfs/errors`), "somebody else has changed", gesture)
		assert.Equal(t, theirs+".paper", m.sh(`ls papers/A`), "what is there is shown at once")
	}
	assert.Equal(t, []string{"DeletePaper"}, m.cost(`rmdir papers/A/YYY.paper`))
}

// TestALostAnswerOfARename checks that it is repeated.
func TestALostAnswerOfARename(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/A papers/A/X.paper; "$PAPERFS" refresh papers`)
	for _, name := range []string{"Y", "Z"} {
		m.proxy.Cut(remote.RenamePaper, 1, 0)
		m.sh(`mv papers/A/*.paper papers/A/` + name + `.paper`)
		assert.Equal(t, name+".paper", m.sh(`ls papers/A`))
	}
	m.sh(fetched)
	assert.Equal(t, "Z.paper", m.sh(`ls papers/A`))
}

// TestAKillDuringARename checks that the next mount shows what the service has.
func TestAKillDuringARename(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir -p papers/A/Sub; mkdir papers/A/Sub/X.paper`)
	held, release := m.proxy.FreezeAnswer(remote.RenamePaper)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = m.run("bash", `mv papers/A papers/B`)
	}()
	<-held
	m.crash()
	release()
	<-done
	m.start()
	m.eventually(`test -e papers/B/Sub/X.paper/url && test ! -e papers/A`)
	m.sh(`mv papers/B papers/C && mv papers/C/Sub/X.paper papers/Y.paper && test -e papers/Y.paper/url`)
}

// TestQueuedPDFsFollowARename checks PDFs that are queued or being written below a name that changes.
func TestQueuedPDFsFollowARename(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--write-back")
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir -p papers/A/Sub papers/A/X.paper papers/A/Y.paper`)
	m.unavailable(remote.ProcessPDF)
	m.unavailable(remote.CreatePaper)
	m.sh(`cp "$HOME/one.pdf" papers/A/X.paper/source.pdf; cp "$HOME/two.pdf" papers/A/Y.pdf; cp "$HOME/two.pdf" papers/A/Sub/New.pdf`)
	m.sh(`mv papers/A/X.paper papers/A/X2.paper; mv papers/A/Y.paper papers/Y2.paper; mv papers/A papers/B`)
	m.sh(`cmp "$HOME/one.pdf" papers/B/X2.paper/source.pdf; cmp "$HOME/two.pdf" papers/Y2.paper/source.pdf; cmp "$HOME/two.pdf" papers/B/Sub/New.pdf`)
	m.crash()
	m.start("--write-back")
	m.eventually(`test -d papers/B`)
	m.proxy.Heal()
	m.sh(`"$PAPERFS" retry .`)
	m.eventually(`test -e papers/B/Sub/New.paper/pages/002 && test -e papers/B/X2.paper/pages/001 && test -e papers/Y2.paper/pages/002`)
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
	assert.Equal(t, "Sub\nX2.paper", m.sh(`ls papers/B`))
}

// TestAServiceWithoutMoves checks the refusals of a service that cannot rename, known or not.
func TestAServiceWithoutMoves(t *testing.T) {
	t.Parallel()
	for how, m := range map[string]*mounted{
		"of others":     newMountOf(t, servicetest.Start(t, func(o *service.Options) { o.NoExtended = true })),
		"--only-twenty": newMount(t, "--only-twenty"),
		"not known yet": withoutOffers(t),
	} {
		m.sh(`mkdir papers/A papers/B papers/A/X.paper`)
		for _, mv := range []string{`mv papers/A papers/C`, `mv papers/A/X.paper papers/A/Y.paper`, `mv papers/A/X.paper papers/B/Y.paper`} {
			assert.Contains(t, m.fails(mv), "not supported", how)
			assert.Contains(t, m.sh(`tail -1 .paperfs/errors`), "cannot rename", how)
		}
		assert.Equal(t, []string{"MovePaper"}, m.cost(`mv papers/A/X.paper papers/B/`), how)
		assert.Zero(t, m.proxy.Count(remote.RenamePaper), how)
	}
}

// withoutOffers returns a mount on a service whose answers do not say what it offers.
func withoutOffers(t *testing.T) *mounted {
	m := newMount(t)
	for _, op := range remote.Operations {
		m.proxy.Alter(op, func(r *http.Response) { r.Header.Del(remote.OffersHeader) })
	}
	m.remount()
	return m
}

// TestTwoMountsRename checks that each shows the names that the other gave.
func TestTwoMountsRename(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	other := newMountOf(t, m.service)
	m.sh(`mkdir papers/A papers/A/X.paper papers/A/Y.paper; "$PAPERFS" refresh papers`)
	other.sh(fetched + `mv papers/A/X.paper papers/A/Z.paper; mv papers/A papers/B`)
	assert.Regexp(t, busyOrGone, m.fails(`mv papers/A/X.paper papers/A/Mine.paper`))
	assert.Equal(t, "Y.paper\nZ.paper", m.sh(`ls papers/B`))
	m.sh(`mv papers/B/Z.paper papers/B/Mine.paper`)
	other.sh(fetched + `mv papers/B/Mine.paper papers/B/Theirs.paper`)
	assert.Equal(t, "Theirs.paper\nY.paper", other.sh(`ls papers/B`))
}

// TestRmdirOfACategoryIsOneRequest checks that no look goes before it where the service deletes no category that holds something.
func TestRmdirOfACategoryIsOneRequest(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--allow-delete")
	m.sh(`mkdir papers/A papers/B`)
	b := m.idOf("papers/B")
	assert.Equal(t, []string{"DeletePaper"}, m.cost(`rmdir papers/A`))
	testrun.Must(m.client().CreatePaper(t.Context(), remote.Node{ID: b, URL: "/b/"}, "Theirs", "theirs"))(t)
	assert.Contains(t, m.fails(`rmdir papers/B`), "not empty")
	m.eventually(`test -e papers/B/Theirs.paper`)
}

// TestACategoryIsNotMovedIntoOneThatOthersHaveMovedBelowIt checks that this is EINVAL, as on any file system, also where the
// mount does not know it yet, at any depth, and with another name.
func TestACategoryIsNotMovedIntoOneThatOthersHaveMovedBelowIt(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--tree-ttl", "10h")
	for i, read := range []string{``, fetched} {
		m.sh(fmt.Sprintf(`mkdir papers/%d; cd papers/%[1]d; mkdir -p A B C/In D/In E F; cd ../..; `, i) + read + `ls -R papers`)
		in := fmt.Sprintf("papers/%d/", i)
		for _, row := range []struct{ node, into, mv string }{{"B", "A", "A " + in + "B/A"}, {"D", "C/In", "C " + in + "D/In/C"}, {"F", "E", "E " + in + "F/New"}} {
			require.NoError(t, m.client().MovePaper(t.Context(), m.idOf(in+row.node), m.idOf(in+row.into)))
			require.Contains(t, m.fails(`python3 -c 'import os, sys; os.rename(*sys.argv[1:])' `+in+row.mv), "Invalid argument", row.mv)
		}
	}
}
