package service

import (
	"strings"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// maxQuery is in characters, after trimming (contract, 3.1).
const maxQuery = 128

// query reads the parameter query and gives the phrase to look for.
func (c *call) query() (string, error) {
	q := strings.TrimSpace(c.param("query"))
	switch length := utf8.RuneCountInString(q); {
	case length == 0:
		return "", invalid("query is empty.")
	case length > maxQuery:
		return "", invalid("query has %d characters; the limit is %d.", length, maxQuery)
	}
	return store.Phrase(q), nil
}

// searchable fails while the search is switched off.
func (c *call) searchable() error {
	if c.service.options.SearchOutage {
		return refuse(remote.SearchTemporarilyUnavailable, "The search is not available at the moment; try again later.")
	}
	return nil
}

// searchRequest reads what three of the searches have in common.
func (c *call) searchRequest(node string) (phrase string, id int64, err error) {
	if phrase, err = c.query(); err != nil {
		return "", 0, err
	}
	if id, err = c.id(node); err != nil {
		return "", 0, err
	}
	return phrase, id, c.searchable()
}

// searchHierarchyByContent answers SearchPapersWithHiearchyByContent.
func searchHierarchyByContent(c *call, x *xmlWriter) error {
	phrase, id, err := c.searchRequest("categoryID")
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		category, err := c.category(tx, id)
		if err != nil {
			return err
		}
		hits, err := tx.PagesContaining(id, phrase)
		if err != nil {
			return err
		}
		if len(hits) == 0 {
			x.Empty("papers")
			return nil
		}
		return c.writeHierarchy(tx, x, category, func(n store.Node) bool { return hits[n.ID] != nil })
	})
}

// searchHierarchyByName answers SearchPapersWithHiearchyByName.
func searchHierarchyByName(c *call, x *xmlWriter) error {
	phrase, id, err := c.searchRequest("categoryID")
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		category, err := c.category(tx, id)
		if err != nil {
			return err
		}
		return c.writeHierarchy(tx, x, category, func(n store.Node) bool { return strings.Contains(store.Phrase(n.Name), phrase) })
	})
}

// writeHierarchy writes the hits below a category with all categories between
// it and them, parents before children.
func (c *call) writeHierarchy(tx store.Reader, x *xmlWriter, category store.Node, hit func(store.Node) bool) error {
	open := false
	written := 1 // nodes of the path that are in the answer or, as the category, are not to be
	err := c.walk(tx, category, func(path []located) error {
		depth := len(path) - 1
		written = max(1, min(written, depth))
		if depth == 0 || !hit(path[depth].Node) {
			return nil
		}
		if !open {
			x.Open("papers")
			open = true
		}
		for _, at := range path[written:] {
			x.Empty("paper", n("paperID", at.ID), a("name", at.Name), a("url", at.url), n("parentID", at.Parent),
				trueFalse("category", at.Kind == remote.CategoryNode))
		}
		written = len(path)
		return nil
	})
	switch {
	case err != nil:
		return err
	case open:
		x.Close("papers")
	default:
		x.Empty("papers")
	}
	return nil
}

// searchPages answers SearchPapersByContent.
func searchPages(c *call, x *xmlWriter) error {
	phrase, id, err := c.searchRequest("categoryOrPaperID")
	if err != nil {
		return err
	}
	return c.read(func(tx store.Reader) error {
		node, err := c.node(tx, id)
		if err != nil {
			return err
		}
		hits, err := tx.PagesContaining(id, phrase)
		if err != nil {
			return err
		}
		if len(hits) == 0 {
			x.Empty("results")
			return nil
		}
		x.Open("results")
		err = c.walk(tx, node, func(path []located) error {
			at := path[len(path)-1]
			for _, number := range hits[at.ID] {
				x.Empty("result", n("paperID", at.ID), n("pageNumber", int64(number)), a("paperName", at.Name), a("paperUrl", at.url))
			}
			return nil
		})
		x.Close("results")
		return err
	})
}
