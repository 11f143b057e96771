package postgresstore_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// shortQuiet makes an outage quick to see. A busy machine may need longer for an answer: what must
// succeed within it is tried again, or with a longer time.
const shortQuiet = 200 * time.Millisecond

// throughBlackHole opens a store with a tenant, with short timeouts, through a black hole.
func throughBlackHole(t *testing.T, quiet time.Duration) (s *postgresstore.Store, h *enginetest.BlackHole, database string, tenant store.Tenant) {
	database = enginetest.Database(t)
	tenant = addTenant(t, open(t, database), "a")
	h, through := enginetest.NewBlackHole(t, database)
	s = open(t, through)
	t.Cleanup(h.Close)
	s.SetQuiet(quiet)
	s.OutcomeTime = 0
	return s, h, database, tenant
}

// ends checks that a call ends by itself.
func ends(t *testing.T, call func() error) error {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- call() }()
	select {
	case err := <-over:
		return err
	case <-time.After(testrun.Patience()):
		require.FailNow(t, "the call does not end")
		return nil
	}
}

// TestNothingPasses checks an outage in which no traffic passes but no connection ends: every call
// ends by itself with ErrAway, and works again when traffic passes again.
func TestNothingPasses(t *testing.T) {
	t.Parallel()
	s, h, _, k := throughBlackHole(t, shortQuiet)
	set := func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", "b") }
	reads := func() error {
		return s.Read(t.Context(), func(tx store.Reader) error { _, err := tx.ReadOnly(); return err })
	}
	changes := func() error { return s.Write(t.Context(), k.ID, set) }
	for name, call := range map[string]func() error{
		"read":   reads,
		"change": changes,
		"claim":  func() error { _, err := s.Claim(t.Context(), "me", time.Hour); return store.IgnoreNotFound(err) },
		"intend": func() error { return s.Intend(t.Context(), "key") },
		"ready":  func() error { return s.Ready(t.Context()) },
		"look":   func() error { _, err := s.Caller(t.Context(), "host", "account"); return store.IgnoreNotFound(err) },
		"in a read": func() error {
			return s.Read(t.Context(), func(tx store.Reader) error {
				h.Open()
				_, err := tx.ReadOnly()
				return err
			})
		},
		"in a change": func() error {
			return s.Write(t.Context(), k.ID, func(tx store.Writer) error { h.Open(); return set(tx) })
		},
	} {
		require.Eventually(t, func() bool { return errors.Join(reads(), changes(), s.Ready(t.Context())) == nil }, testrun.Patience(), time.Millisecond, name)
		if !strings.HasPrefix(name, "in ") { // otherwise it opens within the call
			require.Eventually(t, func() bool { return call() == nil }, testrun.Patience(), time.Millisecond, name)
			h.Open()
		}
		require.ErrorIs(t, ends(t, call), store.ErrAway, name)
		h.Close()
	}
}

// TestACommitInAnOutageIsUnsure checks that a commit without an answer counts neither as kept nor as undone.
func TestACommitInAnOutageIsUnsure(t *testing.T) {
	t.Parallel()
	s, h, _, k := throughBlackHole(t, shortQuiet)
	for name, opens := range map[string]func(string){"before": h.OpenBefore, "after": h.OpenAfter} {
		t.Run(name, func(t *testing.T) {
			opens(string(commits))
			var unsure *store.UnsureError
			for deadline := time.Now().Add(testrun.Patience()); unsure == nil; { // a busy PostgreSQL may be silent before the commit
				err := ends(t, func() error {
					return s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", name) })
				})
				require.ErrorIs(t, err, store.ErrAway)
				unsure, _ = errors.AsType[*store.UnsureError](err)
				require.True(t, unsure != nil || time.Now().Before(deadline), "a commit without an answer is not unsure: %v", err)
			}
			h.Close()
			require.Eventually(t, func() bool { return s.Ready(t.Context()) == nil }, testrun.Patience(), time.Millisecond)
		})
	}
}

// TestASilentServerIsNotTriedOnEachConnection checks that a silent server is not tried on each
// connection, because each attempt would wait.
func TestASilentServerIsNotTriedOnEachConnection(t *testing.T) {
	t.Parallel()
	require.False(t, postgresstore.IsGone(postgresstore.ErrSilent))
	require.True(t, postgresstore.IsGone(io.EOF))
}

// TestALongStatementIsWaitedFor checks that the store waits for a long statement while PostgreSQL
// answers on another connection.
func TestALongStatementIsWaitedFor(t *testing.T) {
	t.Parallel()
	for quiet := shortQuiet; ; quiet *= 2 {
		err := longStatement(t, quiet)
		if err == nil {
			return
		}
		require.Less(t, quiet, testrun.Patience(), "a statement is given up although PostgreSQL answers: %v", err)
	}
}

// longStatement changes a tenant that another node holds until PostgreSQL was checked repeatedly.
func longStatement(t *testing.T, quiet time.Duration) error {
	s, h, database, k := throughBlackHole(t, quiet)
	c := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer c.Close(t.Context())
	other := testrun.Must(c.Begin(t.Context()))(t)
	testrun.Must(other.Exec(t.Context(), `SELECT pg_advisory_xact_lock($1, $2)`, 0x70617065, k.ID))(t)
	before, over := h.Begun(), make(chan error, 1)
	go func() {
		over <- s.Write(t.Context(), k.ID, func(tx store.Writer) error { return tx.SetSetting(k.Root, "a", "b") })
	}()
	require.Eventually(t, func() bool { return len(over) > 0 || h.Begun() >= before+3 }, 20*quiet+testrun.Patience(), time.Millisecond,
		"PostgreSQL is not checked repeatedly")
	if len(over) > 0 {
		err := <-over
		require.Error(t, err, "the change has not waited for the other node")
		return err
	}
	require.NoError(t, other.Rollback(t.Context()))
	return <-over
}

// TestAListenerNoticesAnOutage checks that a listener notices the outage and receives
// notifications afterwards: on the same connection if traffic passes again in time, otherwise on
// another.
func TestAListenerNoticesAnOutage(t *testing.T) {
	t.Parallel()
	s, h, database, _ := throughBlackHole(t, shortQuiet)
	beside := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer beside.Close(t.Context())
	heard := make(chan struct{}, 1)
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.Listen(ctx, func() {
			select {
			case heard <- struct{}{}:
			default:
			}
		})
	}()
	<-heard // it has started
	before := h.Begun()
	h.Open()
	require.Eventually(t, func() bool { return h.Begun() > before }, testrun.Patience(), time.Millisecond)
	h.Close()
	require.Eventually(t, func() bool {
		testrun.Must(beside.Exec(t.Context(), `SELECT pg_notify('paperfs_work', '')`))(t)
		select {
		case <-heard:
			return true
		default:
			return false
		}
	}, testrun.Patience(), time.Millisecond)
	stop()
	<-over
}
