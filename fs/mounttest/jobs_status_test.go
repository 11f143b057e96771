package mounttest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestStatusNamesJobsUnderWay checks that status names jobs that no program has checked, without a
// request: the service does not answer any.
func TestStatusNamesJobsUnderWay(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("two.pdf", pdfOf(t, 2, 0))
	release := m.proxy.Freeze(remote.GetProcessingStatus)
	m.sh(`mkdir papers/C; cp "$HOME/two.pdf" papers/C/X.pdf`)
	assert.Regexp(t, `(?m)^job: +papers/C/X\.paper: its PDF was sent \S+ ago; .paperfs wait. of the paper asks`, m.sh(`"$PAPERFS" status .`))
	assert.Equal(t, "papers/C/X.paper", m.sh(`"$PAPERFS" status --json . | jq -r '.jobs[].place'`))
	release()
	m.sh(`"$PAPERFS" wait papers/C/X.paper`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "job:")
}

// TestWaitingForAPDFBesideAPaper checks that waiting for the PDF next to a paper waits for the
// paper's job.
func TestWaitingForAPDFBesideAPaper(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.put("two.pdf", pdfOf(t, 2, 0))
	m.sh(`mkdir papers/C; cp "$HOME/one.pdf" papers/C/Été.pdf; cp "$HOME/two.pdf" papers/C/X.pdf`)
	m.sh(`"$PAPERFS" wait papers/C/X.pdf`)
	assert.Equal(t, "002", m.sh(`ls papers/C/X.paper/pages | tail -n 1`))
	m.sh(`"$PAPERFS" wait "papers/C/$(printf 'E\314\201te\314\201.pdf')"`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "job:")
}

// TestLocalTellsSinceWhenANameIsHere checks that status --local shows when a name was created, not
// the time of its content.
func TestLocalTellsSinceWhenANameIsHere(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	began := time.Now().Add(-time.Minute)
	m.sh(`mkdir papers/C media/.git; for f in media/a.part media/.git/x papers/C/b.part; do echo x > $f; touch -d 2001-01-01 $f; done`)
	for since := range strings.Lines(m.sh(`"$PAPERFS" status --local --json . | jq -r '.[].since'`) + "\n") {
		at, err := time.Parse(time.RFC3339, strings.TrimSpace(since))
		assert.NoError(t, err)
		assert.True(t, at.After(began), since)
	}
	before := m.sh(`"$PAPERFS" status --local --json . | jq -r '.[] | select(.path == "a.part").since'`)
	m.sh(`echo more >> media/a.part; chmod 600 media/a.part`)
	assert.Equal(t, before, m.sh(`"$PAPERFS" status --local --json . | jq -r '.[] | select(.path == "a.part").since'`))
}

// TestStatusNamesJobsThatFailed checks that status names a PDF that the service could not process,
// also after a remount, until a newer PDF is sent to the paper.
func TestStatusNamesJobsThatFailed(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.put("one.pdf", pdfOf(t, 1, 0))
	m.sh(`printf '%%PDF-1.4\ngarbage' > "$HOME/bad.pdf"; mkdir papers/C; cp "$HOME/bad.pdf" papers/C/X.pdf`)
	m.fails(`"$PAPERFS" wait papers/C/X.paper`)
	named := func() {
		assert.Regexp(t, `(?m)^failed job: +papers/C/X\.paper: its PDF was sent \S+ ago; Failed: .* damaged or not complete`, m.sh(`"$PAPERFS" status .`))
		assert.Equal(t, "papers/C/X.paper Failed", m.sh(`"$PAPERFS" status --json . | jq -r '.failedJobs[] | .place + " " + .status'`))
	}
	named()
	m.remount()
	m.eventually(`test -d papers/C/X.paper`)
	named()
	m.sh(`cp "$HOME/one.pdf" papers/C/X.pdf; "$PAPERFS" wait papers/C/X.paper`)
	assert.NotContains(t, m.sh(`"$PAPERFS" status .`), "failed job:")
}

// TestTheEndOfAJobIsNoticed checks that a list of pages that was empty before the PDF was sent has
// its pages once the job has ended, though no program asks for the job.
func TestTheEndOfAJobIsNoticed(t *testing.T) {
	t.Parallel()
	m := newMount(t, "--document-ttl", "1h")
	m.put("two.pdf", pdfOf(t, 2, 0))
	assert.Empty(t, m.sh(`mkdir papers/X.paper; ls papers/X.paper/pages`))
	m.sh(`cp "$HOME/two.pdf" papers/X.paper/source.pdf; ls papers/X.paper/pages`)
	m.eventually(`test "$(ls papers/X.paper/pages | wc -l)" = 2`)
	assert.Less(t, m.proxy.Count(remote.GetProcessingStatus), 20)
}

// TestWhyAPaperHasNoPages checks that `paperfs why` of a paper, of its PDF and of the PDF beside it
// says that the service could not process the PDF, though no program asked for the job, and that
// `paperfs stat` says it too.
func TestWhyAPaperHasNoPages(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	require.Empty(t, m.sh(`mkdir papers/X.paper; printf '%%PDF-1.4 damaged' > papers/X.paper/source.pdf`))
	for _, path := range []string{"X.paper", "X.paper/source.pdf", "X.pdf"} {
		m.eventually(`"$PAPERFS" why papers/` + path + ` | grep -q "could not make pages"`)
	}
	assert.Contains(t, m.sh(`"$PAPERFS" stat papers/X.paper`), "could not make pages")
	m.eventually(`test "$(grep -c "could not make pages from the PDF" .paperfs/errors)" = 1`)
}
