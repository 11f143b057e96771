package call

import (
	"errors"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// Actor is who changes things of a tenant: the account of a call, or the operator.
type Actor struct {
	Tenant   store.Tenant
	Account  store.Account
	Now      func() time.Time
	PDFQueue int // PDFs of the tenant in the queue; 0 = no limit
	PDFPages int // pages that a PDF may have
}

func (s *Service) actor() Actor {
	return Actor{Now: s.Now, PDFQueue: s.Options.PDFQueue, PDFPages: s.Options.PDFLimits.WithDefaults().Pages}
}

// Address returns a node's address within the tenant.
func (a *Actor) Address(tx store.Reader, id int64) (string, error) {
	return address.Node(tx, a.Tenant, id)
}

// Node finds a node of the caller's tenant.
func (a *Actor) Node(tx store.Reader, id int64) (store.Node, error) {
	n, err := tx.Node(a.Tenant.ID, id)
	if errors.Is(err, store.ErrNotFound) {
		return n, NoNode(id)
	}
	return n, err
}

// NoNode refuses the id of a node that is not there.
func NoNode(id int64) error {
	return answer.Refuse(remote.PaperDoesNotExist, "There is no paper or category %d.", id)
}

// Paper finds a node that has to be a paper.
func (a *Actor) Paper(tx store.Reader, id int64) (store.Node, error) {
	n, err := a.Node(tx, id)
	if err == nil && n.Kind != remote.PaperNode {
		return n, answer.Refuse(remote.PaperMustNotBeCategory, "%d is a category; this operation needs a paper.", id)
	}
	return n, err
}

// LocatedPaper finds a node that has to be a paper, with its address.
func (c *Call) LocatedPaper(tx store.Reader, id int64) (address.Place, error) {
	paper, err := c.Paper(tx, id)
	if err != nil {
		return address.Place{}, err
	}
	url, err := c.Address(tx, id)
	return address.At(paper, url), err
}

// Category finds a node that has to be a category.
func (a *Actor) Category(tx store.Reader, id int64) (store.Node, error) {
	n, err := a.Node(tx, id)
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

// By says who takes something away.
func (a *Actor) By() store.By {
	return store.By{At: a.Now(), Account: a.Account.Name, Nothing: a.Tenant.Keep.ForDays() == 0}
}

// LeadsTo checks, like category, a node of which the ancestors were read. The first of
// them is the node itself.
func (a *Actor) LeadsTo(ancestors []store.Node, id int64) error {
	if len(ancestors) == 0 || ancestors[0].Tenant != a.Tenant.ID {
		return NoNode(id)
	}
	return needsCategory(ancestors[0])
}
