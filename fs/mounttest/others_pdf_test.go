package mounttest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestAColleaguesPDFReplacesWhatWasSentFromHere checks that a mount shows no PDF as a paper's source.pdf that another mount
// has replaced, and shows the one that it sends after that. A PDF of others without pages replaces nothing. A damaged one from
// here that they replace is set aside.
func TestAColleaguesPDFReplacesWhatWasSentFromHere(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h", "--document-ttl", "10h")
	for _, m := range []*mounted{a, b} {
		m.put("one.pdf", pdfOf(t, 1, 0))
		m.put("two.pdf", pdfOf(t, 2, 0))
		m.put("none.pdf", []byte("%PDF-1.4 damaged"))
	}
	a.sh(`cp "$HOME/one.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper; cmp "$HOME/one.pdf" papers/X.paper/source.pdf; exec 3< papers/X.pdf; cat <&3 | cmp - "$HOME/one.pdf"`)
	b.eventually(`test -d papers/X.paper/pages/001`)
	b.eventually(`cp "$HOME/none.pdf" papers/X.pdf`) // its tree may be of before the pages
	b.sh(`! "$PAPERFS" wait papers/X.paper`)
	b.sh(`mkdir papers/Last.paper`)
	a.eventually(`test -d papers/Last.paper`) // it was told of all before
	a.sh(`cmp "$HOME/one.pdf" papers/X.paper/source.pdf; cmp "$HOME/one.pdf" papers/X.pdf`)
	b.sh(`cp "$HOME/two.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper; cmp "$HOME/two.pdf" papers/X.pdf`)
	a.eventually(`! cat papers/X.paper/source.pdf && ! cat papers/X.pdf`)
	require.Contains(t, a.fails(`cat papers/X.paper/source.pdf`), "not supported")
	a.eventually(`cp "$HOME/one.pdf" papers/X.pdf`) // as above
	a.sh(`"$PAPERFS" wait papers/X.paper; cmp "$HOME/one.pdf" papers/X.paper/source.pdf; cmp "$HOME/one.pdf" papers/X.pdf`)
	b.eventually(`! cat papers/X.pdf`)
	a.sh(`cp "$HOME/none.pdf" papers/Y.pdf; ! "$PAPERFS" wait papers/Y.paper; cmp "$HOME/none.pdf" papers/Y.pdf; test -z "$(ls .paperfs/failed)"`)
	b.eventually(`cp "$HOME/two.pdf" papers/Y.pdf`)
	a.eventually(`! cat papers/Y.paper/source.pdf`)
	a.sh(`cmp "$HOME/none.pdf" .paperfs/failed/source.pdf`) // nothing else has it
}

// TestADamagedPDFHidesNoPDFOfOthers checks the same where a damaged PDF of the colleague follows the good one, and a mount is
// told of both at once.
func TestADamagedPDFHidesNoPDFOfOthers(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h", "--document-ttl", "10h")
	a.put("one.pdf", pdfOf(t, 1, 0))
	b.put("two.pdf", pdfOf(t, 2, 0))
	b.put("none.pdf", []byte("%PDF-1.4 damaged"))
	a.sh(`cp "$HOME/one.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper`)
	b.eventually(`test -d papers/X.paper/pages/001`)
	release := a.proxy.Freeze(remote.Wait)
	a.proxy.Reset()
	b.sh(`mkdir papers/Last.paper`) // it ends the request that the service holds
	a.waitForRequest(remote.Wait)
	b.eventually(`cp "$HOME/two.pdf" papers/X.pdf`) // its tree may be of before the pages
	b.sh(`"$PAPERFS" wait papers/X.paper`)
	b.eventually(`cp "$HOME/none.pdf" papers/X.pdf`)
	b.sh(`! "$PAPERFS" wait papers/X.paper`)
	a.sh(`cmp "$HOME/one.pdf" papers/X.paper/source.pdf`) // nobody has told it
	release()
	a.eventually(`! cat papers/X.paper/source.pdf`)
	require.Contains(t, a.fails(`cat papers/X.pdf`), "not supported")
}

// TestAColleaguesPDFIsSeenAfterAMount checks the same for PDFs that a colleague sent while the mount was not there. One from here
// whose job ended meanwhile is the paper's, and what is known of the others costs no request.
func TestAColleaguesPDFIsSeenAfterAMount(t *testing.T) {
	t.Parallel()
	flags := []string{"--tree-ttl", "10h", "--document-ttl", "10h"}
	a, b := followingMounts(t, flags...)
	a.put("one.pdf", pdfOf(t, 1, 0))
	a.put("many.pdf", pdfOf(t, 40, 0))
	b.put("two.pdf", pdfOf(t, 2, 0))
	b.put("none.pdf", []byte("%PDF-1.4 damaged"))
	a.sh(`for p in X Y Z; do cp "$HOME/one.pdf" papers/$p.pdf; "$PAPERFS" wait papers/$p.paper; test -d papers/$p.paper/pages/001; done; cp "$HOME/many.pdf" papers/Last.pdf`)
	a.stop()
	b.eventually(`test -d papers/Last.paper`)
	b.eventually(`cp "$HOME/two.pdf" papers/X.pdf`) // its tree may be of before the pages
	b.eventually(`cp "$HOME/none.pdf" papers/Y.pdf`)
	b.sh(`"$PAPERFS" wait papers/X.paper; ! "$PAPERFS" wait papers/Y.paper; "$PAPERFS" wait papers/Last.paper`)
	a.start(flags...)
	a.eventually(`! cat papers/X.paper/source.pdf && ! cat papers/X.pdf`)
	require.Contains(t, a.fails(`cat papers/X.paper/source.pdf`), "not supported")
	a.sh(`"$PAPERFS" wait papers/Last.paper; cmp "$HOME/many.pdf" papers/Last.pdf`)
	a.proxy.Reset()
	a.sh(`cmp "$HOME/one.pdf" papers/Y.pdf; cmp "$HOME/one.pdf" papers/Z.pdf; test -d papers/Z.paper/pages/001`)
	require.Zero(t, a.proxy.Count(remote.GetPaperStructure))
	a.sh(`cp "$HOME/many.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper; cmp "$HOME/many.pdf" papers/X.pdf`)
}

// TestALateAnswerHidesNoNewerPDFFromHere checks that a mount which is told late of a colleague's PDF keeps the one from here that
// has replaced it since.
func TestALateAnswerHidesNoNewerPDFFromHere(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h", "--document-ttl", "10h")
	a.put("one.pdf", pdfOf(t, 1, 0))
	a.put("three.pdf", pdfOf(t, 3, 0))
	b.put("two.pdf", pdfOf(t, 2, 0))
	a.sh(`cp "$HOME/one.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper`)
	b.eventually(`test -d papers/X.paper/pages/001`)
	held, release := a.proxy.FreezeAnswer(remote.Wait)
	b.eventually(`cp "$HOME/two.pdf" papers/X.pdf`) // its tree may be of before the pages
	b.sh(`"$PAPERFS" wait papers/X.paper`)
	<-held
	a.sh(`"$PAPERFS" refresh .; cp "$HOME/three.pdf" papers/X.pdf; "$PAPERFS" wait papers/X.paper`)
	b.eventually(`test -d papers/X.paper/pages/003`)
	b.sh(`mkdir papers/Last.paper`)
	release()
	a.eventually(`test -d papers/Last.paper`) // it was told of all before
	a.sh(`cmp "$HOME/three.pdf" papers/X.pdf`)
}

// TestPagesOfOthersReplaceWhatWasSentFromHere checks the same for a mount that nobody tells of changes: it sees the pages, also
// when they were made while it was not there, and what it knew of the paper was dropped.
func TestPagesOfOthersReplaceWhatWasSentFromHere(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{false, true} {
		m := newDrops(t, "--document-ttl", "1ms")
		const look = `; cat papers/C/X.paper/pages/001/text.txt > /dev/null; `
		m.sh(`for f in one two; do cp "$HOME/$f.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper` + look + `cmp "$HOME/$f.pdf" papers/C/X.pdf; done`)
		m.remount("--document-ttl", "1ms")
		m.sh(`true` + look + `cmp "$HOME/two.pdf" papers/C/X.pdf`)
		paper := testrun.Must(strconv.ParseInt(m.sh(`cat papers/C/X.paper/id`), 10, 64))(t)
		if away {
			m.stop()
		}
		m.colleaguesPDF(t, paper, 3)
		if away {
			m.start("--document-ttl", "1ms")
			m.sh(`"$PAPERFS" refresh papers`)
		}
		m.sh(`true` + look + `! cat papers/C/X.pdf; ! cat papers/C/X.paper/source.pdf`)
		m.sh(`"$PAPERFS" refresh .; cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper` + look + `cmp "$HOME/one.pdf" papers/C/X.pdf`)
	}
}

// TestWhoWaitsForAColleaguesPDF checks that wait in a mount that did not send a PDF waits for its pages too, and knows how
// its job ended.
func TestWhoWaitsForAColleaguesPDF(t *testing.T) {
	t.Parallel()
	a, b := followingMounts(t, "--tree-ttl", "10h", "--document-ttl", "10h")
	a.put("many.pdf", pdfOf(t, 40, 0))
	a.put("none.pdf", []byte("%PDF-1.4 damaged"))
	b.put("one.pdf", pdfOf(t, 1, 0))
	a.sh(`mkdir papers/X.paper papers/Y.paper papers/Z.paper`)
	b.eventually(`test -d papers/Z.paper`)
	require.Contains(t, b.fails(`"$PAPERFS" wait papers/Z.paper`), "no processing job")
	a.sh(`cp "$HOME/many.pdf" papers/X.paper/source.pdf`)
	b.sh(`"$PAPERFS" wait papers/X.paper; test -d papers/X.paper/pages/040`)
	a.sh(`cp "$HOME/none.pdf" papers/Y.paper/source.pdf`)
	b.eventually(`"$PAPERFS" wait papers/Y.paper; test $? = 15`)
	b.sh(`cp "$HOME/one.pdf" papers/Y.paper/source.pdf; "$PAPERFS" wait papers/Y.paper; test -d papers/Y.paper/pages/001`)
	require.NotEmpty(t, newMountOf(t, a.service).sh(`"$PAPERFS" wait papers/Y.paper; echo ready`), "it was not there")
}
