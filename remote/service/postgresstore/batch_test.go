package postgresstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/postgresstore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// together runs changes of a tenant that all wait while the first runs, and returns their
// results.
func together(t *testing.T, s *postgresstore.Store, tenant int64, changes ...func(store.Writer) error) []error {
	t.Helper()
	came := make([]chan error, len(changes))
	release := make(chan struct{})
	for i, f := range changes {
		came[i] = make(chan error, 1)
		begun := make(chan struct{})
		go func() {
			err := errors.New("it panicked")
			defer func() {
				_ = recover()
				came[i] <- err
			}()
			err = s.Write(t.Context(), tenant, func(tx store.Writer) error {
				if i == 0 {
					close(begun)
					<-release
				}
				return f(tx)
			})
		}()
		if i == 0 {
			<-begun
		}
		require.Eventually(t, func() bool { return s.Waiting(tenant) == i }, testrun.Patience(), time.Millisecond)
	}
	close(release)
	errs := make([]error, len(changes))
	for i, c := range came {
		errs[i] = <-c
	}
	return errs
}

func add(tenant store.Tenant, name string) func(store.Writer) error {
	return func(tx store.Writer) error {
		_, err := tx.AddNode(store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: name, URLName: name})
		return err
	}
}

// papers returns the papers of a tenant as a later change sees them.
func papers(t *testing.T, s *postgresstore.Store, tenant store.Tenant) string {
	t.Helper()
	var names []string
	require.NoError(t, s.Read(t.Context(), func(tx store.Reader) error {
		used := testrun.Must(tx.Usage(tenant.ID, time.Now()))(t)
		require.NoError(t, tx.Walk(tenant.Root, func(n store.Node, depth int) error {
			if depth > 0 {
				names = append(names, n.Name)
			}
			return nil
		}))
		require.EqualValues(t, len(names), used.Papers, "the count includes every change")
		faults, err := tx.Faults()
		require.Empty(t, faults)
		return err
	}))
	return strings.Join(names, " ")
}

// TestChangesThatWaitShareACommit checks that a change that joins takes two round trips, including
// its own statement, and that a change alone takes three.
func TestChangesThatWaitShareACommit(t *testing.T) {
	t.Parallel()
	counter := testrun.Must(enginetest.NewCounter(enginetest.Database(t)))(t)
	t.Cleanup(func() { counter.Close() })
	s := open(t, counter.Address())
	s.BatchWindow = time.Hour
	k := addTenant(t, s, "a")
	var all []func(store.Writer) error
	for i := range 20 {
		all = append(all, add(k, string(rune('a'+i))))
	}
	require.NoError(t, errors.Join(together(t, s, k.ID, all[:5]...)...)) // prepares the statements
	before, _ := counter.Count()
	require.NoError(t, errors.Join(together(t, s, k.ID, all[5:15]...)...))
	trips, _ := counter.Count()
	require.EqualValues(t, 2*10+1, trips-before)
	for _, one := range all[15:] {
		require.NoError(t, s.Write(t.Context(), k.ID, one))
	}
	alone, _ := counter.Count()
	require.EqualValues(t, 3*5, alone-trips)
	require.Equal(t, "a b c d e f g h i j k l m n o p q r s t", papers(t, s, k))
}

// TestAChangeThatFailsUndoesItselfOnly checks that a failed change undoes only itself, whatever
// else is in the transaction: each change sees the result of those before it.
func TestAChangeThatFailsUndoesItselfOnly(t *testing.T) {
	t.Parallel()
	s := open(t, enginetest.Database(t))
	s.BatchWindow = time.Hour
	k := addTenant(t, s, "a")
	refused := errors.New("refused")
	first := true
	after := func(name string, end func() error) func(store.Writer) error {
		return func(tx store.Writer) error {
			if err := add(k, name)(tx); err != nil {
				return err
			}
			return end()
		}
	}
	for range 2 { // the first of a transaction has no savepoint
		errs := together(t, s, k.ID,
			after("first", func() error {
				if first {
					return refused
				}
				return nil
			}),
			add(k, "a"),
			after("b", func() error { return refused }),
			add(k, "A"), // PostgreSQL rejects it: taken
			after("c", func() error { panic("no") }),
			func(tx store.Writer) error {
				_, err := tx.Child(k.Root, "b")
				require.ErrorIs(t, err, store.ErrNotFound)
				_, err = tx.Child(k.Root, "a")
				return err
			},
			add(k, "d"),
			after("e", func() error { return refused }))
		if first {
			require.ErrorIs(t, errs[0], refused)
			require.Equal(t, "a d", papers(t, s, k))
		} else {
			require.NoError(t, errs[0])
			require.Equal(t, "a d first", papers(t, s, k))
		}
		require.NoError(t, errs[1])
		require.ErrorIs(t, errs[2], refused)
		require.ErrorIs(t, errs[3], store.ErrTaken)
		require.ErrorContains(t, errs[4], "panicked")
		require.NoError(t, errs[5])
		require.NoError(t, errs[6])
		require.ErrorIs(t, errs[7], refused)
		if !first {
			return
		}
		first = false
		require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
			for _, name := range []string{"a", "d"} {
				n := testrun.Must(tx.Child(k.Root, name))(t)
				require.NoError(t, tx.DeleteNode(n.ID))
			}
			return nil
		}))
	}
}

// TestTheOutcomeOfASharedCommit checks that the outcome of the commit is that of all its changes
// that did not fail on their own. A refused change may have read lost changes, so it does not
// return the refusal.
func TestTheOutcomeOfASharedCommit(t *testing.T) {
	t.Parallel()
	c, through := cut(t, enginetest.Database(t))
	s := open(t, through)
	s.BatchWindow = time.Hour
	k := addTenant(t, s, "a")
	refused := errors.New("refused")
	refuse := func(store.Writer) error { return refused }
	require.NoError(t, errors.Join(together(t, s, k.ID, add(k, "a"), add(k, "b"))...))

	c.answer.Store(true)
	errs := together(t, s, k.ID, add(k, "c"), refuse, add(k, "d"))
	require.False(t, c.answer.Load(), "the connection must have been cut")
	require.NoError(t, errors.Join(errs[0], errs[2]))
	require.Equal(t, refused, errs[1])
	require.Equal(t, "a b c d", papers(t, s, k))

	c.before.Store(true)
	for _, err := range together(t, s, k.ID, add(k, "e"), refuse, add(k, "f")) {
		require.ErrorIs(t, err, store.ErrAway)
		require.ErrorContains(t, err, "the change was not committed")
	}
	require.Equal(t, "a b c d", papers(t, s, k))

	s.OutcomeTime = 0
	c.closed.Store(true)
	c.answer.Store(true)
	for i, err := range together(t, s, k.ID, add(k, "g"), refuse, add(k, "h")) {
		require.ErrorIs(t, err, store.ErrAway)
		_, unsure := errors.AsType[*store.UnsureError](err)
		require.Equal(t, i != 1, unsure, "a refused change is known to be undone")
	}
	c.shut.Store(false)
	require.Eventually(t, func() bool { return s.Ready(t.Context()) == nil }, testrun.Patience(), time.Millisecond)
	require.Equal(t, "a b c d g h", papers(t, s, k))
}

// TestAConnectionThatEndsBetweenTwoChanges checks that neither is kept nor reported as kept, and
// that the next change uses another connection.
func TestAConnectionThatEndsBetweenTwoChanges(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	s.BatchWindow = time.Hour
	k := addTenant(t, s, "a")
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	errs := together(t, s, k.ID, add(k, "a"), func(tx store.Writer) error {
		testrun.Must(direct.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))(t)
		return add(k, "b")(tx)
	}, add(k, "c"))
	require.ErrorIs(t, errs[0], store.ErrAway)
	require.ErrorIs(t, errs[1], store.ErrAway)
	require.NoError(t, errs[2])
	require.Equal(t, "c", papers(t, s, k))
}

// TestAChangeThatIsRefusedAtItsEnd checks that a change that is refused because of its pending
// updates undoes only itself, wherever it is in the batch.
func TestAChangeThatIsRefusedAtItsEnd(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	s.BatchWindow = time.Hour
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	testrun.Must(direct.Exec(t.Context(), `ALTER TABLE tenant ADD CONSTRAINT few CHECK (papers <= 2)`))(t)
	for at := range 3 {
		k := addTenant(t, s, string(rune('a'+at)))
		many := func(tx store.Writer) error {
			return errors.Join(add(k, "x")(tx), add(k, "y")(tx), add(k, "z")(tx))
		}
		changes := slices.Insert([]func(store.Writer) error{add(k, "a"), add(k, "b")}, at, many)
		for i, err := range together(t, s, k.ID, changes...) {
			if i == at {
				require.ErrorContains(t, err, "few", "at %d", at)
			} else {
				require.NoError(t, err, "change %d, where change %d is refused", i, at)
			}
		}
		require.Equal(t, "a b", papers(t, s, k))
	}
}

// TestAChangeThatGivesUpARowBeforeItsQueryFails checks a visit function that returns an error
// before its query fails or its connection ends: the failure counts, and no change returns the
// function's error.
func TestAChangeThatGivesUpARowBeforeItsQueryFails(t *testing.T) {
	t.Parallel()
	database := enginetest.Database(t)
	s := open(t, database)
	s.BatchWindow = time.Hour
	k, field := fieldOfManyBytes(t, s)
	direct := testrun.Must(pgx.Connect(t.Context(), database))(t)
	defer direct.Close(t.Context())
	enough := errors.New("enough")
	visit := func(tx store.Writer, end string) error {
		return tx.FieldValues(k.Root, field, func(store.FieldValue) error {
			testrun.Must(direct.Exec(t.Context(), `SELECT `+end+` FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`))(t)
			return enough
		})
	}
	errs := together(t, s, k.ID, add(k, "a"), func(tx store.Writer) error {
		require.ErrorIs(t, visit(tx, "pg_cancel_backend(pid)"), enough)
		return nil
	})
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], store.ErrSlow)
	for _, err := range together(t, s, k.ID, add(k, "b"), func(tx store.Writer) error { return visit(tx, "pg_terminate_backend(pid, 60000)") }) {
		require.ErrorIs(t, err, store.ErrAway)
		require.NotErrorIs(t, err, enough)
	}
	for _, err := range together(t, s, k.ID, add(k, "b"), func(tx store.Writer) error {
		taken := add(k, "a")(tx)
		require.ErrorIs(t, taken, store.ErrTaken)
		_, err := direct.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		require.NoError(t, err)
		require.Error(t, add(k, "c")(tx))
		return taken
	}) {
		require.ErrorIs(t, err, store.ErrAway)
		require.NotErrorIs(t, err, store.ErrTaken)
	}
	require.Equal(t, "a", strings.Trim(papers(t, s, k), "n "))
}

// fieldOfManyBytes creates a field whose values have more bytes than the buffers on the way.
func fieldOfManyBytes(t *testing.T, s *postgresstore.Store) (tenant store.Tenant, field int64) {
	tenant = addTenant(t, s, "a")
	require.NoError(t, s.Write(t.Context(), tenant.ID, func(tx store.Writer) (err error) {
		field, err = tx.AddField(tenant.ID, store.Field{Name: "f", Type: "string"})
		require.NoError(t, err)
		for i := range 64 {
			id := testrun.Must(tx.AddNode(store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.PaperNode, Name: "n", URLName: fmt.Sprint(i)}))(t)
			require.NoError(t, tx.SetFieldValue(store.FieldValue{Paper: id, Field: field, Value: strings.Repeat("x", 1<<16)}))
		}
		return nil
	}))
	return tenant, field
}

// TestAChangeThatGivesUpPassesItsTurnOn checks that the turn goes to the next change.
func TestAChangeThatGivesUpPassesItsTurnOn(t *testing.T) {
	t.Parallel()
	s := open(t, enginetest.Database(t))
	k := addTenant(t, s, "a")
	ctx, stop := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	errs := together(t, s, k.ID, func(store.Writer) error { return nil }, add(k, "a"), add(k, "b"))
	require.NoError(t, errors.Join(errs...))
	require.NoError(t, s.Write(t.Context(), k.ID, func(tx store.Writer) error {
		go func() { gone <- s.Write(ctx, k.ID, add(k, "never")) }()
		require.Eventually(t, func() bool { return s.Waiting(k.ID) == 1 }, testrun.Patience(), time.Millisecond)
		stop()
		require.ErrorIs(t, <-gone, ctx.Err())
		require.Zero(t, s.Waiting(k.ID))
		return add(k, "c")(tx)
	}))
	require.Equal(t, "a b c", papers(t, s, k))
}
