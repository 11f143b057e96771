package service

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/drain"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/form"
	"paperfs/remote/service/gate"
	"paperfs/remote/service/location"
	"paperfs/remote/service/store"
)

// call is one call of an operation, as its handler sees it.
type call struct {
	service *Service
	op      *remote.Operation
	request *http.Request
	number  requestNumber
	tenant  store.Tenant
	account store.Account
	key     [32]byte // the hash of what the caller proved to know
	// readOnly tells that a maintenance window was open when the call came.
	readOnly  bool
	soap      *soapCall // nil for a form
	form      *form.Form
	body      *admission.Body // nil for none
	deadlines *drain.Deadlines
	upload    *upload // content of op.Bulk; nil for operations without
	reply     *reply  // where the answer goes
	message   string  // of the answer, where it succeeds

	pair     remote.Pair // which credentials are
	admitted *[2]string  // user name and password found good; nil while there are none
	// unconfirmed tells that they were found so by what is remembered of the caller.
	unconfirmed bool
}

// param is a parameter as it was sent; presence was checked before.
func (c *call) param(name string) string {
	value, _ := c.form.Get(name)
	return value
}

func (c *call) ctx() context.Context { return c.request.Context() }

// read runs f on one consistent state of the store.
func (c *call) read(f func(tx store.Reader) error) error {
	return c.service.store.Read(c.ctx(), func(tx store.Reader) error {
		if err := c.refuseRemoved(tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// How many reads that take long go on at once. PostgreSQL has twelve connections for
// readers (postgresstore): most calls have one for some milliseconds, and there is always
// one for them.
const (
	mostSearches = 4
	mostWalks    = 3
	// mostReaders are searches in one paper by those who read it, without credentials.
	mostReaders = 2
	// longPatience is how long a call waits to be one of them.
	longPatience = 10 * time.Second
)

// readLong is read for what takes long, which has a place from before it has a
// connection. store.ErrSlow: too many had one for too long.
func (c *call) readLong(g *gate.Gate, f func(tx store.Reader) error) error {
	place := g.Place(c.tenant.ID)
	defer place.Leave()
	if err := place.Enter(c.ctx()); err != nil {
		return err
	}
	return c.read(f)
}

// write runs f as one durable change. It is finished also when the caller
// goes away, and refused where a maintenance window has begun since.
func (c *call) write(f func(tx store.Writer) error) error {
	return c.service.store.Write(context.WithoutCancel(c.ctx()), c.tenant.ID, func(tx store.Writer) error {
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
}

// refuseRemoved is the fault of a call whose account was removed or lost its
// key, perhaps with its tenant, since the credentials were judged: that of its
// next call. A key that was good for a while when the call began stays so for it.
func (c *call) refuseRemoved(tx store.Reader) error {
	has, err := tx.HasKey(c.account.ID, c.key)
	if err == nil && !has {
		return errRemoved()
	}
	return err
}

func errRemoved() error {
	return fault.Refuse(remote.LoginSecurityViolation, "This account was removed, or its key was changed, during the call.")
}

// refuseReadOnly is the fault of a change while the window is open.
func (c *call) refuseReadOnly(open bool) error {
	if open && c.op.Changes {
		return fault.Refuse(remote.ReadOnly, "The service is in a maintenance window: nothing can be changed now.")
	}
	return nil
}

// address is a node's address within the tenant.
func (c *call) address(tx store.Reader, id int64) (string, error) {
	return address.Node(tx, c.tenant, id)
}

// node finds a node of the caller's tenant.
func (c *call) node(tx store.Reader, id int64) (store.Node, error) {
	n, err := tx.Node(c.tenant.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return n, noNode(id)
	}
	return n, err
}

func noNode(id int64) error {
	return fault.Refuse(remote.PaperDoesNotExist, "There is no paper or category %d.", id)
}

// paper finds a node that has to be a paper.
func (c *call) paper(tx store.Reader, id int64) (store.Node, error) {
	n, err := c.node(tx, id)
	if err == nil && n.Kind != remote.PaperNode {
		return n, fault.Refuse(remote.PaperMustNotBeCategory, "%d is a category; this operation needs a paper.", id)
	}
	return n, err
}

// locatedPaper finds a node that has to be a paper, with its address.
func (c *call) locatedPaper(tx store.Reader, id int64) (location.Node, error) {
	paper, err := c.paper(tx, id)
	if err != nil {
		return location.Node{}, err
	}
	url, err := c.address(tx, id)
	return location.At(paper, url), err
}

// category finds a node that has to be a category.
func (c *call) category(tx store.Reader, id int64) (store.Node, error) {
	n, err := c.node(tx, id)
	if err == nil {
		err = needsCategory(n)
	}
	return n, err
}

func needsCategory(n store.Node) error {
	if n.Kind != remote.CategoryNode {
		return fault.Invalid("%d is a paper; this operation needs a category.", n.ID)
	}
	return nil
}

// leadsTo is category for one whose ancestors were asked for, the first of which it is.
func (c *call) leadsTo(ancestors []store.Node, id int64) error {
	if len(ancestors) == 0 || ancestors[0].Tenant != c.tenant.ID {
		return noNode(id)
	}
	return needsCategory(ancestors[0])
}
