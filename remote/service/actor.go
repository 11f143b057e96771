package service

import (
	"errors"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// actor is who changes things of a tenant: the account of a call, or the operator.
type actor struct {
	tenant   store.Tenant
	account  store.Account
	now      func() time.Time
	pdfQueue int // PDFs of the tenant in the queue; 0 = no limit
	pdfPages int // pages that a PDF may have
}

func (s *parts) actor() actor {
	return actor{now: s.now, pdfQueue: s.options.PDFQueue, pdfPages: s.options.PDFLimits.WithDefaults().Pages}
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

// by says who takes something away.
func (a *actor) by() store.By {
	return store.By{At: a.now(), Account: a.account.Name, Nothing: a.tenant.Keep.ForDays() == 0}
}
