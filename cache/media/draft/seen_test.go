package draft

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestWhatAPaperHadIsForgottenOnceItMayHaveThis checks what a queued PDF knows of its paper after an
// attempt: from the moment at which the service has all of it until a clear answer, also after a
// kill, the paper may have this content, so that a change of it is no reason not to send.
func TestWhatAPaperHadIsForgottenOnceItMayHaveThis(t *testing.T) {
	for name, c := range map[string]struct {
		answer error
		seen   string
		there  bool
	}{
		"refused early":   {errEarly, "old", false},
		"refused":         {&remote.Error{Kind: remote.Refused, Code: remote.Failure}, "old", false},
		"no clear answer": {&remote.Error{Kind: remote.Unreachable, Ambiguous: true}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			s, got := newShelf(t), ""
			d := s.queued("/papers/a.paper/source.pdf", "%PDF", "old")
			require.Equal(t, "old", d.Seen())
			require.ErrorIs(t, d.SendQueued(sends(&got, c.answer)), c.answer)
			require.Equal(t, "%PDF", got)
			require.Equal(t, c.seen, d.Seen())
			require.Equal(t, c.there, d.MayBeThere())
			s.reopen()
			require.Len(t, s.Requeued(), 1)
			require.Equal(t, c.seen, s.Requeued()[0].Seen(), "after a kill")
		})
	}
}

// TestAKillWhileAPDFIsSent checks that a kill between the last byte and the answer leaves a PDF that
// is sent again, whatever the paper has.
func TestAKillWhileAPDFIsSent(t *testing.T) {
	s := newShelf(t)
	d := s.queued("/papers/a.paper/source.pdf", "%PDF", "old")
	require.NoError(t, d.SendQueued(func(c remote.Content) (string, error) {
		require.NoError(t, c.(remote.Finisher).Finish())
		killed := *s
		killed.reopen()
		require.Len(t, killed.Requeued(), 1)
		require.Empty(t, killed.Requeued()[0].Seen())
		require.True(t, killed.Requeued()[0].MayBeThere())
		return "", nil
	}))
}
