package service

import (
	"errors"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

// purge removes an entry for good.
func purge(c *call, _ *answer.Writer) error {
	id, err := c.entryID()
	if err != nil {
		return err
	}
	return c.write(func(tx store.Writer) error {
		k, err := c.entry(tx, id)
		if err != nil {
			return err
		}
		return purgeOne(tx, c.tenant.ID, k)
	})
}

// purgeOne removes an entry for good. A directory or category that is above something else that is kept stays known
// until that is gone.
func purgeOne(tx store.Writer, tenant int64, k store.Kept) error {
	if k.Kind == store.KeptDir || k.Kind == store.KeptNode {
		above, err := tx.KeptBelow(tenant, k.Kind, k.File.ID)
		if err != nil || above {
			return errors.Join(err, tx.Empty(k.ID))
		}
	}
	return purgeEntry(tx, k, true)
}

// purgeEntry removes what is kept, and unless entirely leaves that a file ended: an upload of its name
// takes up its id.
func purgeEntry(tx store.Writer, k store.Kept, entirely bool) error {
	if k.Kind == store.KeptPDF {
		_, inWork, err := tx.KeptPDF(k.Content)
		if err != nil || inWork { // its job ends with it
			return errors.Join(err, tx.Forget(k.ID))
		}
	}
	if err := tx.DropContent(k.Content); err != nil {
		return err
	}
	switch {
	case k.Kind == store.KeptFile && !k.Replaced && !entirely:
		return tx.Empty(k.ID)
	case k.Kind == store.KeptNode:
		if err := endNode(tx, k.File.ID, tx.PurgeNode); err != nil {
			return err
		}
	}
	return tx.Forget(k.ID)
}

// endNode deletes a node and its contents.
func endNode(tx store.Writer, id int64, end func(int64) error) error {
	r, err := tx.Rendition(id)
	if err := store.IgnoreNotFound(err); err != nil {
		return err
	}
	if err := end(id); err != nil {
		return err
	}
	return errors.Join(tx.DropContent(r.PDF), tx.DropContent(r.Images))
}
