package service

import (
	"context"
	"errors"
	"net/http"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/store"
)

// readLong is read for a long read. It takes a slot of the gate before it takes a
// connection. store.ErrSlow: other reads held all slots for too long.
func (c *call) readLong(g *admission.Gate, f func(tx store.Reader) error) error {
	place := g.Ticket(c.tenant.ID)
	defer place.Leave()
	if err := place.Enter(c.ctx()); err != nil {
		return err
	}
	return c.read(f)
}

// read runs f on one consistent state of the store.
func (c *call) read(f func(tx store.Reader) error) error {
	return c.service.store.Read(c.ctx(), func(tx store.Reader) error {
		if err := c.refuseRemoved(tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// write runs f as one durable change. The change completes even if the caller
// disconnects. It is refused if a maintenance window has begun since the call came.
func (c *call) write(f func(tx store.Writer) error) error {
	f = c.signed(c.request.Header, f)
	err := c.service.store.Write(context.WithoutCancel(c.ctx()), c.tenant.ID, func(tx store.Writer) error {
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

// signed makes a change that its client is not told of, if the client has a name.
func (c *call) signed(h http.Header, f func(tx store.Writer) error) func(tx store.Writer) error {
	client := h.Get(remote.ClientHeader)
	if client == "" || len(client) > mostClient {
		return f
	}
	return func(tx store.Writer) error {
		before, err := tx.LastEvent(c.tenant.ID)
		if err == nil {
			err = f(tx)
		}
		if err == nil {
			err = tx.SignEvents(c.tenant.ID, before, client)
		}
		return err
	}
}

// refuseRemoved refuses a call whose account was removed, or whose key was changed, since
// its credentials were checked. An old key that was valid when the call began stays
// valid for the call.
func (c *call) refuseRemoved(tx store.Reader) error {
	has, err := tx.HasKey(c.account.ID, c.key)
	if err == nil && !has {
		return errRemoved()
	}
	return err
}
