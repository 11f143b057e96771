package pending

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/failure"
	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
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
	dirs := state.AccountDirs(t.TempDir(), t.TempDir(), "https://a.example", "me")
	statetest.Prepare(t, dirs)
	st, err := state.Open(dirs, "/mnt")
	require.NoError(t, err)
	defer st.Close()
	store, err := media.Open(media.Options{State: st, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	defer store.Close()
	p := &PDF{set: NewSet(Options{Tell: &errno.Teller{Log: log}}), draft: store.NewDraft(1, 0, "papers/A.pdf"), dest: &Place{Name: "papers/A.pdf"}, tempNamed: true}
	p.removed.Store(true)
	p.Published(errors.New("refused"))
	require.Empty(t, log.Events())
	p.draft.LetGo(errors.New("refused")) // moves the PDF to failed/ when the draft ends
	p.Published(errors.New("refused"))
	require.Len(t, log.Events(), 1)
}
