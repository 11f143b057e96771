package document

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"paperfs/remote"
	"paperfs/remote/rules"
)

// Result is the answer of a search: the payload as received and its hits in the service's
// order. Searches for papers set Papers, the search for pages sets Pages. If the hits
// cannot be parsed, the search returns the payload together with the error.
type Result struct {
	Payload []byte
	Papers  []remote.PaperHit
	Pages   []remote.PageHit
}

// found is a Result and the error of parsing its hits.
type found struct {
	Result
	err error
}

func newPapersFound(payload []byte) found {
	papers, err := remote.ParsePaperHits(payload)
	return found{Result{Payload: payload, Papers: papers}, err}
}

func newPagesFound(payload []byte) found {
	pages, err := remote.ParsePageHits(payload)
	return found{Result{Payload: payload, Pages: pages}, err}
}

// SearchPapers calls SearchPapersWithHiearchyByContent: 1 request, 0 while cached.
func (c *Cache) SearchPapers(ctx context.Context, category int64, query string) (Result, error) {
	if err := checkQuery(query); err != nil {
		return Result{}, err
	}
	return c.search(ctx, key{DocSearchPapers, category, query}, func(ctx context.Context) (found, error) {
		payload, err := c.service.SearchPapersWithHiearchyByContent(ctx, query, category)
		return newPapersFound(payload), err
	})
}

// SearchPages calls SearchPapersByContent for a category or a paper: 1 request, 0 while
// cached.
func (c *Cache) SearchPages(ctx context.Context, node int64, query string) (Result, error) {
	if err := checkQuery(query); err != nil {
		return Result{}, err
	}
	return c.search(ctx, key{DocSearchPages, node, query}, func(ctx context.Context) (found, error) {
		payload, err := c.service.SearchPapersByContent(ctx, query, node)
		return newPagesFound(payload), err
	})
}

// SearchFields calls SearchPapersByCustomFields: 1 request, 0 while cached.
func (c *Cache) SearchFields(ctx context.Context, category int64, criteria []remote.FieldCriterion) (Result, error) {
	if len(criteria) == 0 {
		return Result{}, fmt.Errorf("%w: a search by fields needs a criterion", ErrInvalid)
	}
	return c.search(ctx, key{DocSearchFields, category, CriteriaKey(criteria)}, func(ctx context.Context) (found, error) {
		payload, err := c.service.SearchPapersByCustomFields(ctx, category, criteria)
		return newPapersFound(payload), err
	})
}

// CriteriaKey returns the argument with which Known finds the answer of SearchFields.
func CriteriaKey(criteria []remote.FieldCriterion) string {
	var b strings.Builder
	for _, c := range criteria {
		fmt.Fprintf(&b, "%s=%s %t&", url.QueryEscape(c.Name), url.QueryEscape(c.Value), c.Wildcard)
	}
	return b.String()
}

func (c *Cache) search(ctx context.Context, k key, get func(context.Context) (found, error)) (Result, error) {
	f, err := fetch(ctx, c.documents, k, c.ttl, func(ctx context.Context) (found, int64, error) {
		f, err := get(ctx)
		return f, 2*int64(len(f.Payload)) + overhead, err
	})
	if err != nil {
		return Result{}, err
	}
	return f.Result, f.err
}

// checkQuery rejects a query that the service would refuse (contract, 3.1).
func checkQuery(query string) error {
	switch rules.Query(query) {
	case rules.Blank:
		return fmt.Errorf("%w: an empty query", ErrInvalid)
	case rules.TooLong:
		return fmt.Errorf("%w: a query of %d characters; %d are allowed", ErrInvalid, utf8.RuneCountInString(strings.TrimSpace(query)), rules.MaxQuery)
	}
	return checkText("the query", query)
}
