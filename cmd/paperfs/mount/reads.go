package mount

import (
	"context"
	"time"

	"paperfs/cache/state"
)

// readsKey is what the state remembers of an account that may only read.
const readsKey = "reads"

// askLimit bounds the question whether the account may write by now.
const askLimit = 5 * time.Second

// setReads makes the mount of an account that may only read a mount for reading, so that a program hears it at its first write and
// not from a close that shells ignore. Before the service has answered in this mount, the state knows; an account that could only
// read is asked about again, so that it can write from the mount after it was allowed to.
func (a *account) setReads(ctx context.Context, st *state.State) error {
	value, _, err := st.Value(readsKey)
	if err != nil {
		return err
	}
	a.closers = append(a.closers, func() error { return a.rememberReads(st, value) })
	offers, known := a.client.Offers()
	if value != "" && !known {
		short, cancel := context.WithTimeout(ctx, askLimit)
		defer cancel()
		_, _ = a.client.GetPaperUrlFromID(short, a.catalogue.RootID()) // its answer tells what the account may do
		offers, known = a.client.Offers()
	}
	a.reads = offers.Reads || value != "" && !known
	a.config.ReadOnly = a.config.ReadOnly || a.reads
	return nil
}

// rememberReads keeps what the service said last.
func (a *account) rememberReads(st *state.State, before string) error {
	offers, known := a.client.Offers()
	now := ""
	if offers.Reads {
		now = "only"
	}
	if !known || now == before {
		return nil
	}
	return st.SetValue(readsKey, now)
}
