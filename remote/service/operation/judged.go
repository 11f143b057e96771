package operation

import (
	"paperfs/remote"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

// changeNode gives a node the parent, names and period that to sets. The caller may know a version of it: then only that one is
// changed. What stands already is no conflict.
func changeNode(c *call.Call, w *answer.Writer, id int64, to func(tx store.Reader, n *store.Node) error) error {
	o, err := c.Condition()
	if err != nil {
		return err
	}
	var node store.Node
	err = c.Write(func(tx store.Writer) error {
		node, err = tx.Node(c.Tenant.ID, id)
		if store.IsNotFound(err) {
			return o.Missing(call.NoNode(id))
		}
		if err != nil {
			return err
		}
		next := node
		if err := to(tx, &next); err != nil || next == node {
			return err
		}
		if err := o.Judge(id, node.Version); err != nil {
			return err
		}
		node.Version, err = tx.SetNode(next)
		return urlTaken(err, next.URLName)
	})
	if err == nil {
		c.TellVersion(w, node.Version)
	}
	return err
}

// belonging is a change of what belongs to a node and has no version of its own.
type belonging struct {
	node  int64
	paper bool // the node has to be a paper
	parts []part
}

// part is one of the values that change together.
type part struct {
	stands func(tx store.Reader) (bool, error)
	set    func(tx store.Writer) error
}

// stand reports whether all is as it is to be.
func (b belonging) stand(tx store.Reader) (bool, error) {
	for _, p := range b.parts {
		if stands, err := p.stands(tx); !stands || err != nil {
			return false, err
		}
	}
	return true, nil
}

// change makes it, and returns the version of the node, which is another one where the caller knows one.
func (b belonging) change(c *call.Call, o call.Condition) (version int64, err error) {
	err = c.Write(func(tx store.Writer) error {
		n, err := tx.Node(c.Tenant.ID, b.node)
		if store.IsNotFound(err) {
			err = o.Missing(call.NoNode(b.node))
		}
		if err == nil && b.paper && n.Kind != remote.PaperNode {
			_, err = c.Paper(tx, b.node) // it says so
		}
		if err != nil {
			return err
		}
		version = n.Version
		if conflict := o.Judge(n.ID, n.Version); conflict != nil {
			if stands, err := b.stand(tx); stands || err != nil {
				return err
			}
			return conflict
		}
		for _, p := range b.parts {
			if err := p.set(tx); err != nil {
				return err
			}
		}
		if o.Sent {
			version, err = tx.SetNode(n)
		}
		return err
	})
	return version, err
}

// answer makes the change of an operation, and answers with the version.
func (b belonging) answer(c *call.Call, w *answer.Writer) error {
	o, err := c.Condition()
	if err != nil {
		return err
	}
	version, err := b.change(c, o)
	if err == nil {
		c.TellVersion(w, version)
	}
	return err
}
