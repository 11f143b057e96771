package admission

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestAFullGate checks that a full gate admits nobody until a slot is free, and limits the
// wait.
func TestAFullGate(t *testing.T) {
	g := NewGate(2, time.Hour)
	one, two, three := g.Ticket(1), g.Ticket(1), g.Ticket(1)
	require.True(t, one.Try())
	require.True(t, one.Try(), "the ticket already has a slot")
	require.NoError(t, two.Enter(t.Context()))
	require.False(t, three.Try())
	gone, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, three.Enter(gone), context.Canceled)
	three.Leave() // has no effect without a slot

	entered := make(chan error)
	go func() { entered <- three.Enter(t.Context()) }()
	one.Leave()
	one.Leave()
	require.NoError(t, <-entered)
	require.False(t, one.Try(), "two slots were released, each once")
	g.patience = time.Millisecond
	require.ErrorIs(t, one.Enter(t.Context()), store.ErrSlow)
	two.Leave()
	require.NoError(t, one.Enter(t.Context()))
	one.Leave()
	three.Leave()
	require.Empty(t, g.lines, "lines of callers that left are deleted")
}

// entering lets a caller of a tenant wait, and reports when it has its slot.
func entering(t *testing.T, g *Gate, tenant int64, entered chan<- *Ticket) {
	t.Helper()
	waiting := g.Waiting()
	p := g.Ticket(tenant)
	go func() {
		if err := p.Enter(context.Background()); err != nil {
			t.Error(err)
		}
		entered <- p
	}()
	require.Eventually(t, func() bool { return g.Waiting() == waiting+1 }, testrun.Patience(), time.Millisecond)
}

// TestTenantsTakeTurns checks that a late caller does not wait for all earlier callers of
// another tenant.
func TestTenantsTakeTurns(t *testing.T) {
	g := NewGate(2, time.Hour)
	entered := make(chan *Ticket)
	var inside []*Ticket
	for range 2 {
		p := g.Ticket(1)
		require.True(t, p.Try())
		inside = append(inside, p)
	}
	for range 30 {
		entering(t, g, 1, entered)
	}
	entering(t, g, 2, entered)
	for _, tenant := range []int64{3, 3, 3} {
		entering(t, g, tenant, entered)
	}
	var order []int64
	for range 34 {
		inside[0].Leave()
		p := <-entered
		order = append(order, p.tenant)
		inside = append(inside[1:], p)
	}
	require.Equal(t, []int64{2, 3}, order[:2], "of two tenants without a slot, the first to arrive")
	require.Equal(t, []int64{1, 3, 1, 3}, order[2:6], "then tenants take turns")
	require.Equal(t, slices.Repeat([]int64{1}, 28), order[6:])
	for _, p := range inside {
		p.Leave()
	}
	require.Empty(t, g.lines)
}

// TestNobodyIsPassedOver checks that callers that come and go do not overtake one that waits
// for its tenant's second slot.
func TestNobodyIsPassedOver(t *testing.T) {
	g := NewGate(1, time.Hour)
	entered := make(chan *Ticket)
	inside := g.Ticket(1)
	require.True(t, inside.Try())
	entering(t, g, 1, entered)
	var order []int64
	for _, tenant := range []int64{2, 3, 2} {
		entering(t, g, tenant, entered)
		inside.Leave()
		inside = <-entered
		order = append(order, inside.tenant)
	}
	require.Equal(t, []int64{2, 1, 3}, order)
	inside.Leave()
	(<-entered).Leave()
	require.Empty(t, g.lines)
}

// TestALineHasAnEnd checks that the limit applies to each tenant separately.
func TestALineHasAnEnd(t *testing.T) {
	g := NewGate(1, time.Hour)
	require.True(t, g.Ticket(1).Try())
	g.lines[1].waiting = make([]*Ticket, mostWaiting)
	require.ErrorIs(t, g.Ticket(1).Enter(t.Context()), store.ErrSlow)
	gone, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, g.Ticket(2).Enter(gone), context.Canceled, "a caller of another tenant waits")
}
