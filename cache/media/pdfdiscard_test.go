package media

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// unansweredPDF is a Publisher whose service has all of a PDF and does not answer.
type unansweredPDF struct {
	d       *Draft
	waits   chan struct{} // closed when the service has all of it
	answers chan struct{} // closed when it answers, if nobody has given up
	refused chan error
}

func (p unansweredPDF) Publish(ctx context.Context) error {
	return p.d.SendQueued(func(c remote.Content) (string, error) {
		if err := c.(remote.Finisher).Finish(); err != nil {
			return "", err
		}
		close(p.waits)
		select {
		case <-ctx.Done():
		case <-p.answers:
		}
		return "", context.Canceled
	})
}

func (p unansweredPDF) Delayed(error)           {}
func (p unansweredPDF) Published(refused error) { p.refused <- refused }

// TestDiscardingAPDFWaitsForNoAnswer checks that a queued PDF which the service has, without having
// answered, can be discarded.
func TestDiscardingAPDFWaitsForNoAnswer(t *testing.T) {
	t.Parallel()
	f := newFixture(t, writingBack)
	d := queuedPDF(t, f, "%PDF", "")
	p := unansweredPDF{d, make(chan struct{}), make(chan struct{}), make(chan error, 2)}
	d.PublishBy(p)
	<-p.waits
	discarded := make(chan error, 1)
	go func() { discarded <- f.store.DiscardQueued(pdfPath) }()
	select {
	case err := <-discarded:
		require.NoError(t, err)
	case <-time.After(testrun.Patience()):
		close(p.answers)
		require.NoError(t, <-discarded)
		t.Fatal("discard waits for the answer of the service")
	}
	require.ErrorIs(t, <-p.refused, errDiscarded)
	d.Close()
	require.Equal(t, map[string]string{pdfPath: "%PDF"}, f.inFailed())
}

// TestAnEndedDraftKeepsItsVerdict checks that whoever showed what is in failed/ now still learns it
// after the end of the draft.
func TestAnEndedDraftKeepsItsVerdict(t *testing.T) {
	t.Parallel()
	f, killed := newFixture(t), errors.New("killed")
	d := writtenPDF(t, f, pdfPath, "%PDF")
	d.LetGo(killed)
	d.Close()
	require.ErrorIs(t, d.Failure(), killed)
	require.False(t, d.Clean())
	require.Equal(t, map[string]string{pdfPath: "%PDF"}, f.inFailed())
}
