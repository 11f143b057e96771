package operation

import (
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/call"
	"paperfs/remote/service/store"
)

func getAllPapers(c *call.Call, w *answer.Writer) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	c.Message = "Tree follows."
	return c.SendTree(w, call.TreeAnswer{
		Key:     c.TreeKey(id),
		Version: func(tx store.Reader) (int64, error) { return treeVersion(c, tx) },
		Check: func(tx store.Reader) error {
			_, err := c.Node(tx, id)
			return err
		},
		Write: func(tx store.Reader, w *answer.Writer) error { return writeTree(c, tx, w, id) },
	})
}

// treeVersion is the version of the answer. Versions are of nodes; editions differ without a change
// of the tree.
func treeVersion(c *call.Call, tx store.Reader) (int64, error) {
	version, err := tx.TreeVersion(c.Tenant.ID)
	if err != nil || !c.PrefersVersions() {
		return version, err
	}
	editions, err := tx.EditionVersion(c.Tenant.ID)
	return version ^ editions, err // both are random
}

func writeTree(c *call.Call, tx store.Reader, w *answer.Writer, id int64) error {
	url, err := c.Address(tx, id)
	if err != nil {
		return err
	}
	return answer.Tree(tx, w, id, url, c.PrefersVersions())
}

func getPaperURLFromID(c *call.Call, w *answer.Writer) error {
	return of(c, c.Node, func(tx store.Reader, n store.Node) error {
		url, err := c.Address(tx, n.ID)
		if err != nil {
			return err
		}
		c.Message = "The address follows."
		w.Empty("paper", answer.String("url", url))
		return nil
	})
}

// of reads what belongs to the node that the parameter paperID names.
func of(c *call.Call, find func(store.Reader, int64) (store.Node, error), f func(tx store.Reader, n store.Node) error) error {
	id, err := c.ID("paperID")
	if err != nil {
		return err
	}
	return c.Read(func(tx store.Reader) error {
		n, err := find(tx, id)
		if err != nil {
			return err
		}
		return f(tx, n)
	})
}

// getPaperIDFromURL answers SUCCESS without data if nothing has the address (contract,
// 3.13): clients use it to test whether an address is free.
func getPaperIDFromURL(c *call.Call, w *answer.Writer) error {
	url := c.Param("url")
	if !strings.HasPrefix(url, "/") || !strings.HasSuffix(url, "/") || strings.Contains(url, "//") || strings.ContainsAny(url, "?#\\") {
		return answer.Invalid("url has to be a path that begins and ends with a slash.")
	}
	return c.Read(func(tx store.Reader) error {
		node, err := address.FindNode(tx, c.Tenant, url)
		if store.IsNotFound(err) {
			c.Message = "Nothing has this address."
			return nil
		}
		if err != nil {
			return err
		}
		c.Message = "The id follows."
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
func mayBeBelow(a *call.Actor, up []store.Node, urlName string) error {
	if at := address.Path(a.Tenant, up) + urlName + "/"; rules.ReservedAddress(at) {
		return answer.Invalid("The service itself uses the addresses below %s.", at)
	}
	return nil
}
