package service

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
	"paperfs/remote/service/store"
)

// call is one call of an operation, as its handler sees it.
type call struct {
	actor
	service *Service
	op      *remote.Operation
	request *http.Request
	number  requestNumber
	key     [32]byte // hash of the key that the caller sent
	// readOnly is whether a maintenance window was open when the call came.
	readOnly  bool
	soap      *soapCall // nil for a form
	json      bool      // the answer is JSON
	boundary  string    // of a body of multipart/form-data; "" for a form
	form      *form.Form
	body      *admission.Body // nil for none
	deadlines *admission.Deadlines
	upload    *upload // content of op.Bulk; nil for operations without
	reply     *reply  // where the answer goes
	message   string  // of a successful answer

	pair     remote.Pair // the parameters of the credentials
	admitted *[2]string  // user name and password that are good; nil for none yet
	// unconfirmed is whether only the memory of an earlier call says that they are good.
	unconfirmed bool
	changed     bool // whether it has made a change, or may have

	share  admission.Share // of the memory of strangers
	lifted bool            // whether parameters took some of it
}

// param returns a parameter as it was sent. Its presence was checked before.
func (c *call) param(name string) string {
	value, _ := c.form.Get(name)
	return value
}

// ctx is the context of the request. The reads of a call with good credentials wait with those of its tenant.
func (c *call) ctx() context.Context {
	if c.account.ID == 0 {
		return c.request.Context()
	}
	return inLine(c.request.Context(), c.tenant.ID)
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

// How many long reads run at once. Most calls read for some milliseconds, and these limits leave one of
// store.Readers free for them.
const (
	mostSearches = 4
	mostWalks    = 3
	// mostReaders limits the searches in one paper by its readers, who have no credentials.
	mostReaders = 2
	// longPatience is how long a call waits for its turn.
	longPatience = 10 * time.Second
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

func errRemoved() error {
	return answer.Refuse(remote.LoginSecurityViolation, "This account was removed, or its key was changed, during the call.")
}

// refuseReadOnly refuses a change while the maintenance window is open, and after damage.
func (c *call) refuseReadOnly(open bool) error {
	if open && c.op.Changes {
		return answer.Refuse(remote.ReadOnly, "The service is in a maintenance window: nothing can be changed now.")
	}
	if c.op.Changes && c.service.store.Damaged() != nil {
		return answer.Refuse(remote.ReadOnly, "The service's database is damaged or missing: nothing can be changed until its operator has restored it.")
	}
	return nil
}

// address returns a node's address within the tenant.
func (a *actor) address(tx store.Reader, id int64) (string, error) {
	return address.Node(tx, a.tenant, id)
}

// node finds a node of the caller's tenant.
func (a *actor) node(tx store.Reader, id int64) (store.Node, error) {
	n, err := tx.Node(a.tenant.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return n, noNode(id)
	}
	return n, err
}

func noNode(id int64) error {
	return answer.Refuse(remote.PaperDoesNotExist, "There is no paper or category %d.", id)
}

// paper finds a node that has to be a paper.
func (a *actor) paper(tx store.Reader, id int64) (store.Node, error) {
	n, err := a.node(tx, id)
	if err == nil && n.Kind != remote.PaperNode {
		return n, answer.Refuse(remote.PaperMustNotBeCategory, "%d is a category; this operation needs a paper.", id)
	}
	return n, err
}

// locatedPaper finds a node that has to be a paper, with its address.
func (c *call) locatedPaper(tx store.Reader, id int64) (address.Place, error) {
	paper, err := c.paper(tx, id)
	if err != nil {
		return address.Place{}, err
	}
	url, err := c.address(tx, id)
	return address.At(paper, url), err
}

// category finds a node that has to be a category.
func (a *actor) category(tx store.Reader, id int64) (store.Node, error) {
	n, err := a.node(tx, id)
	if err == nil {
		err = needsCategory(n)
	}
	return n, err
}

func needsCategory(n store.Node) error {
	if n.Kind != remote.CategoryNode {
		return answer.Invalid("%d is a paper; this operation needs a category.", n.ID)
	}
	return nil
}

// leadsTo checks, like category, a node of which the ancestors were read. The first of
// them is the node itself.
func (c *call) leadsTo(ancestors []store.Node, id int64) error {
	if len(ancestors) == 0 || ancestors[0].Tenant != c.tenant.ID {
		return noNode(id)
	}
	return needsCategory(ancestors[0])
}
