package service

import (
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/store"
)

func getAllPapers(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	c.message = "Tree follows."
	return c.sendTree(w, treeAnswer{
		key:     c.treeKey(id),
		version: c.treeVersion,
		check: func(tx store.Reader) error {
			_, err := c.node(tx, id)
			return err
		},
		write: func(tx store.Reader, w *answer.Writer) error { return c.writeTree(tx, w, id) },
	})
}

// treeVersion is the version of the answer. Versions are of nodes; editions differ without a change
// of the tree.
func (c *call) treeVersion(tx store.Reader) (int64, error) {
	version, err := tx.TreeVersion(c.tenant.ID)
	if err != nil || !c.prefersVersions() {
		return version, err
	}
	editions, err := tx.EditionVersion(c.tenant.ID)
	return version ^ editions, err // both are random
}

func (c *call) writeTree(tx store.Reader, w *answer.Writer, id int64) error {
	url, err := c.address(tx, id)
	if err != nil {
		return err
	}
	return answer.Tree(tx, w, id, url, c.prefersVersions())
}

func getPaperURLFromID(c *call, w *answer.Writer) error {
	id, err := c.id("paperID")
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		if _, err := c.node(tx, id); err != nil {
			return err
		}
		url, err := c.address(tx, id)
		if err != nil {
			return err
		}
		c.message = "The address follows."
		w.Empty("paper", answer.String("url", url))
		return nil
	})
}

// getPaperIDFromURL answers SUCCESS without data if nothing has the address (contract,
// 3.13): clients use it to test whether an address is free.
func getPaperIDFromURL(c *call, w *answer.Writer) error {
	url := c.param("url")
	if !strings.HasPrefix(url, "/") || !strings.HasSuffix(url, "/") || strings.Contains(url, "//") || strings.ContainsAny(url, "?#\\") {
		return answer.Invalid("url has to be a path that begins and ends with a slash.")
	}
	return c.read(func(tx store.Reader) error {
		node, err := address.FindNode(tx, c.tenant, url)
		if store.IsNotFound(err) {
			c.message = "Nothing has this address."
			return nil
		}
		if err != nil {
			return err
		}
		c.message = "The id follows."
		w.Empty("paper", answer.Int("id", node.ID))
		return nil
	})
}

// maxDepth is how many categories may lie below each other, the root apart. Walks keep
// something for each, and the addresses in GetAllPapers grow with the square of it.
const maxDepth = 100

// shallow checks that height more categories may lie below a category. up is that
// category and what is above it. Deeper trees come by imports alone; what has no category
// may go anywhere.
func shallow(up []store.Node, height int) error {
	if height > 0 && len(up)-1+height > maxDepth {
		return answer.Invalid("Categories lie at most %d deep.", maxDepth)
	}
	return nil
}

// mayBeBelow checks that an address below a category is none of the service's own.
func (a *actor) mayBeBelow(up []store.Node, urlName string) error {
	if at := address.Path(a.tenant, up) + urlName + "/"; rules.ReservedAddress(at) {
		return answer.Invalid("The service itself uses the addresses below %s.", at)
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
