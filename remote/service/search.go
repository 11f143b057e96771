package service

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
	"paperfs/remote/service/xmldoc"
)

// query reads the parameter query and returns the phrase to search for.
func (c *call) query() (string, error) {
	q := strings.TrimSpace(c.param("query"))
	switch rules.Query(q) {
	case rules.None:
		return store.Phrase(q), nil
	case rules.TooLong:
		return "", fault.Invalid("query has %d characters; the limit is %d.", utf8.RuneCountInString(q), rules.MaxQuery)
	case rules.Blank:
		return "", fault.Invalid("query is empty.")
	}
	return "", fault.Invalid("query contains characters that XML cannot carry.")
}

// searchable fails while the search is switched off.
func (c *call) searchable() error {
	if c.service.options.SearchOutage {
		return errSearchOutage()
	}
	return nil
}

// search runs a search. If the search takes too long, or other searches leave no room,
// the answer says that a later one may succeed.
func (c *call) search(f func(tx store.Reader) error) error {
	err := c.readLong(c.service.searches, f)
	if errors.Is(err, store.ErrSlow) {
		return errSearchOutage()
	}
	return err
}

func errSearchOutage() error {
	return fault.Refuse(remote.SearchTemporarilyUnavailable, "The search is not available at the moment; try again later.")
}

// searchRequest reads the parameters that three of the searches have in common.
func (c *call) searchRequest(node string) (phrase string, id int64, err error) {
	if phrase, err = c.query(); err != nil {
		return "", 0, err
	}
	if id, err = c.id(node); err != nil {
		return "", 0, err
	}
	return phrase, id, c.searchable()
}

// searchCategory runs a search below a category. The two searches that use it write their
// hits in their hierarchy.
func (c *call) searchCategory(f func(tx store.Reader, category store.Node, phrase string) error) error {
	phrase, id, err := c.searchRequest("categoryID")
	if err != nil {
		return err
	}
	return c.search(func(tx store.Reader) error {
		category, err := c.category(tx, id)
		if err != nil {
			return err
		}
		return f(tx, category, phrase)
	})
}

// searchHierarchyByContent answers SearchPapersWithHiearchyByContent.
func searchHierarchyByContent(c *call, w *answer.Writer) error {
	return c.searchCategory(func(tx store.Reader, category store.Node, phrase string) error {
		hits, err := tx.PagesContaining(category.ID, phrase)
		if err != nil {
			return err
		}
		return xmldoc.Hierarchy(w, func(visit func([]address.Place) error) error {
			return address.InOrder(tx, c.tenant, category, slices.Collect(maps.Keys(hits)), visit)
		})
	})
}

// searchHierarchyByName answers SearchPapersWithHiearchyByName.
func searchHierarchyByName(c *call, w *answer.Writer) error {
	return c.searchCategory(func(tx store.Reader, category store.Node, phrase string) error {
		return xmldoc.Hierarchy(w, func(visit func([]address.Place) error) error {
			return address.Walk(tx, c.tenant, category, func(path []address.Place) error {
				if depth := len(path) - 1; depth == 0 || !strings.Contains(store.Phrase(path[depth].Name), phrase) {
					return nil
				}
				return visit(path)
			})
		})
	})
}

// searchPages answers SearchPapersByContent.
func searchPages(c *call, w *answer.Writer) error {
	phrase, id, err := c.searchRequest("categoryOrPaperID")
	if err != nil {
		return err
	}
	return c.search(func(tx store.Reader) error {
		node, err := c.node(tx, id)
		if err != nil {
			return err
		}
		hits, err := tx.PagesContaining(id, phrase)
		if err != nil {
			return err
		}
		if len(hits) == 0 {
			w.Empty("results")
			return nil
		}
		w.Open("results")
		err = address.InOrder(tx, c.tenant, node, slices.Collect(maps.Keys(hits)), func(path []address.Place) error {
			at := path[len(path)-1]
			url := at.URL()
			for _, number := range hits[at.ID] {
				w.Empty("result", answer.Int("paperID", at.ID), answer.Int("pageNumber", int64(number)), answer.String("paperName", at.Name), answer.String("paperUrl", url))
			}
			return nil
		})
		w.Close("results")
		return err
	})
}
