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

// TestAQueuedPDFWaitsThoughTheClockIsSetBack checks that a PDF counts as having waited if the clock
// was set back. Otherwise a retry would not check for somebody else's PDF.
func TestAQueuedPDFWaitsThoughTheClockIsSetBack(t *testing.T) {
	var p PDF
	p.queuedAt.Store(time.Now().Add(time.Hour).UnixNano())
	require.Greater(t, p.queuedFor(), uncheckedWait)
}

// TestARefusedPDFThatWasRemoved checks that the refusal is reported only if the PDF is in failed/
// anyway, because the refusal arrived during the removal.
func TestARefusedPDFThatWasRemoved(t *testing.T) {
	log := failure.New(slog.New(slog.DiscardHandler), nil)
	p := &PDF{set: NewSet(Options{Tell: &errno.Teller{Log: log}}), draft: new(media.Draft), dest: &Place{Name: "papers/A.pdf"}, tempNamed: true}
	p.removed.Store(true)
	p.Published(errors.New("refused"))
	require.Empty(t, log.Events())
	p.draft.Spoil(errors.New("refused")) // moves the PDF to failed/ when the draft ends
	p.Published(errors.New("refused"))
	require.Len(t, log.Events(), 1)
}
