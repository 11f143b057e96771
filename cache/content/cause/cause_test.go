package cause

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/journal"
	"paperfs/cache/content/outbox"
	"paperfs/cache/content/refusal"
	"paperfs/remote"
)

// TestEachFailureHasItsConsequence is the table of what follows from a failure: whether content is set
// aside, waits, or holds everything up.
func TestEachFailureHasItsConsequence(t *testing.T) {
	t.Parallel()
	status := func(n int) *remote.Error { return &remote.Error{Kind: remote.Status, Status: n} }
	for name, c := range map[string]struct {
		err                                         error
		forGood, passing, general, unclear, isLocal bool
	}{
		"a refusal":                       {err: &remote.Error{Kind: remote.Refused, Code: remote.Failure}, forGood: true},
		"a service that only reads":       {err: &remote.Error{Kind: remote.Refused, Code: remote.ReadOnly}, passing: true, general: true},
		"a service whose disk is full":    {err: &remote.Error{Kind: remote.Refused, Code: remote.Failure, Full: remote.FullDisk}, passing: true, general: true},
		"an account that is barred":       {err: &remote.Error{Kind: remote.Refused, Code: remote.LoginSecurityViolation}, passing: true, general: true},
		"no connection":                   {err: &remote.Error{Kind: remote.Unreachable}, passing: true, general: true},
		"a connection that was reset":     {err: &remote.Error{Kind: remote.Unreachable, Ambiguous: true}, passing: true},
		"a service that is too busy":      {err: &remote.Error{Kind: remote.Throttled}, passing: true, general: true},
		"an answer that broke":            {err: &remote.Error{Kind: remote.Broken}, passing: true},
		"somebody else's answer":          {err: &remote.Error{Kind: remote.Broken, Foreign: true}, unclear: true},
		"HTTP 500":                        {err: status(500), passing: true},
		"HTTP 401":                        {err: status(401), passing: true, general: true},
		"HTTP 403, perhaps of one file":   {err: status(403), passing: true},
		"HTTP 409":                        {err: status(409), unclear: true},
		"HTTP 400":                        {err: status(400)},
		"an unclear failure of one file":  {err: &UnclearError{Err: status(409)}, passing: true, unclear: true},
		"an unclear failure of all files": {err: &UnclearError{Err: status(409), All: true}, passing: true, general: true, unclear: true},
		"a full disk here":                {err: syscall.ENOSPC, isLocal: true},
		"a state that cannot be written":  {err: &journal.Unsaved{Err: syscall.ENOSPC}, general: true, isLocal: true},
		"a refusal here":                  {err: &refusal.Error{Kind: refusal.Full}},
		"content that changed":            {err: remote.ErrChanged},
		"an older PDF that is processed":  {err: &remote.Error{Kind: remote.Refused, Code: remote.AlreadyBeingProcessed}, forGood: true},
	} {
		outcome := outbox.Refused
		switch {
		case c.general:
			outcome = outbox.Blocked
		case c.passing, c.isLocal, strings.Contains(name, "older PDF"):
			outcome = outbox.Failed
		}
		for _, err := range []error{c.err, fmt.Errorf("sending: %w", c.err)} {
			require.Equal(t, c.forGood, ForGood(err), "%s: refused for good", name)
			require.Equal(t, c.passing, Passing(err), "%s: passing", name)
			require.Equal(t, outcome, Outcome(err, true), "%s: outcome", name)
			require.Equal(t, c.general, General(err), "%s: of everything", name)
			require.Equal(t, c.unclear, Unclear(err), "%s: unclear", name)
			require.Equal(t, c.isLocal, IsLocal(err), "%s: local", name)
			require.False(t, Interrupted(err), name)
		}
	}
	require.True(t, Interrupted(&remote.Error{Kind: remote.Cancelled}))
	require.True(t, Interrupted(errors.Join(errors.New("left"), context.Canceled)))
}

// TestAnInterruptionIsNoFailureOfTheContent checks what ends an attempt besides its answer.
func TestAnInterruptionIsNoFailureOfTheContent(t *testing.T) {
	t.Parallel()
	require.Equal(t, outbox.Sent, Outcome(nil, false))
	require.Equal(t, outbox.Failed, Outcome(context.Canceled, false))
	require.Equal(t, outbox.Interrupted, Outcome(context.Canceled, true), "the mount ends")
	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(outbox.ErrCancelled)
	require.True(t, Cancelled(cancelled, context.Canceled))
	require.False(t, Cancelled(cancelled, nil), "the service has it")
	require.True(t, Cancelled(t.Context(), outbox.ErrCancelled))
	require.False(t, Cancelled(t.Context(), context.Canceled))
}

// TestPausesGrowUpToALimit checks that each pause is at least as long as the one before, and no longer
// than the user is told.
func TestPausesGrowUpToALimit(t *testing.T) {
	t.Parallel()
	for err, longest := range map[error]time.Duration{
		&remote.Error{Kind: remote.Unreachable}:                                        LongestPause,
		&remote.Error{Kind: remote.Status, Status: 401}:                                LongestRarePause,
		&remote.Error{Kind: remote.Status, Status: 409}:                                LongestRarePause,
		&remote.Error{Kind: remote.Refused, Full: remote.FullDisk}:                     LongestRarePause,
		&UnclearError{Err: &remote.Error{Kind: remote.Status, Status: 409}, All: true}: LongestPause,
		&UnclearError{Err: &remote.Error{Kind: remote.Status, Status: 409}}:            LongestRarePause,
	} {
		before := time.Duration(0)
		for n := 1; n < 100; n++ {
			pause := PauseAfter(n, err)
			require.GreaterOrEqual(t, pause, max(before, time.Second), "%v, failure %d", err, n)
			before = pause
		}
		require.Equal(t, longest, before, "%v", err)
	}
}
