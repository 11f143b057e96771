package pending

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/fs/errno"
)

// TestAQueuedPDFWaitsThoughTheClockIsSetBack: otherwise a retry would not check for a PDF of
// somebody else.
func TestAQueuedPDFWaitsThoughTheClockIsSetBack(t *testing.T) {
	var p PDF
	p.queuedAt.Store(time.Now().Add(time.Hour).UnixNano())
	require.Greater(t, p.queuedFor(), uncheckedWait)
}

// TestARefusedPDFThatWasRemoved is reported only if it is in failed/ after all, because the
// refusal arrived during the removal.
func TestARefusedPDFThatWasRemoved(t *testing.T) {
	log := failure.New(slog.New(slog.DiscardHandler), nil)
	p := &PDF{set: NewSet(Options{Tell: &errno.Teller{Log: log}}), draft: new(media.Draft), dest: &Place{Name: "papers/A.pdf"}, tempNamed: true}
	p.removed.Store(true)
	p.Published(errors.New("refused"))
	require.Empty(t, log.Events())
	p.draft.Spoil(errors.New("refused")) // ending it moves it to failed/
	p.Published(errors.New("refused"))
	require.Len(t, log.Events(), 1)
}
