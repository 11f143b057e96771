package call

import (
	"context"
	"errors"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
)

// ReadLong is read for a long read. It takes a slot of the gate before it takes a
// connection. store.ErrSlow: other reads held all slots for too long.
func (c *Call) ReadLong(g *admission.Gate, f func(tx store.Reader) error) error {
	place := g.Ticket(c.Tenant.ID)
	defer place.Leave()
	if err := place.Enter(c.Context()); err != nil {
		return err
	}
	return c.Read(f)
}

// Read runs f on one consistent state of the store.
func (c *Call) Read(f func(tx store.Reader) error) error {
	return c.Service.Store.Read(c.Context(), func(tx store.Reader) error {
		if err := c.refuseRemoved(tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// Write runs f as one durable change. The change completes even if the caller
// disconnects. It is refused if a maintenance window has begun since the call came.
func (c *Call) Write(f func(tx store.Writer) error) error {
	f = c.signed(c.Request.Header, f)
	err := c.Service.Store.Write(context.WithoutCancel(c.Context()), c.Tenant.ID, func(tx store.Writer) error {
		if c.unconfirmed {
			if err := c.confirm(tx); err != nil {
				return err
			}
			return f(tx)
		}
		if err := c.refuseRemoved(tx); err != nil {
			return err
		}
		on, err := tx.ReadOnly()
		if err != nil {
			return err
		}
		if err := c.refuseReadOnly(on); err != nil {
			return err
		}
		return f(tx)
	})
	if _, unsure := errors.AsType[*store.UnsureError](err); err == nil || unsure {
		c.changed = true
	}
	return err
}

// MostClient is how long the name of a client is.
const MostClient = 64

// signed makes a change that others are told who made, and its client is not told of, if the client has a name.
func (c *Call) signed(h http.Header, f func(tx store.Writer) error) func(tx store.Writer) error {
	client := h.Get(remote.ClientHeader)
	if len(client) > MostClient {
		client = ""
	}
	return func(tx store.Writer) error {
		before, err := tx.LastEvent(c.Tenant.ID)
		if err == nil {
			err = f(tx)
		}
		if err == nil {
			err = tx.SignEvents(c.Tenant.ID, before, c.Account.Name, client)
		}
		return err
	}
}

// refuseRemoved refuses a call whose account was removed, or whose key was changed, since
// its credentials were checked. An old key that was valid when the call began stays
// valid for the call.
func (c *Call) refuseRemoved(tx store.Reader) error {
	if c.signedIn != nil {
		_, err := c.stillSignedIn(tx)
		return err
	}
	has, err := tx.HasKey(c.Account.ID, c.key)
	if err == nil && !has {
		return errRemoved()
	}
	return err
}
