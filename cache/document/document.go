package document

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"time"

	"paperfs/remote"
)

// structure is the answer of GetPaperStructure with its pages. pagesErr is set if they
// cannot be parsed; the document is still served.
type structure struct {
	body     []byte
	pages    []remote.Page
	pagesErr error
}

func (c *Cache) document(ctx context.Context, k key, get func(context.Context) ([]byte, error)) ([]byte, error) {
	return fetch(ctx, c.documents, k, c.ttl, func(ctx context.Context) ([]byte, int64, error) {
		body, err := get(ctx)
		return body, int64(len(body)) + overhead, err
	})
}

func (c *Cache) structure(ctx context.Context, id int64, text bool) (*structure, error) {
	return fetch(ctx, c.documents, structureKey(id, text), c.ttl, func(ctx context.Context) (*structure, int64, error) {
		body, err := c.service.GetPaperStructure(ctx, id, text)
		if err != nil {
			return nil, 0, err
		}
		s := newStructure(body)
		c.compare(ctx, id, s)
		return s, 2*int64(len(body)) + overhead, nil
	})
}

// compare forgets the PDF that was sent from here if others have made a paper's pages since: these have other ids than those
// in memory, with or without text, which nothing of this mount can have replaced.
func (c *Cache) compare(ctx context.Context, paper int64, now *structure) {
	e, _ := c.documents.held(structureKey(paper, false))
	if texts, _ := c.documents.held(structureKey(paper, true)); texts.fetched.After(e.fetched) {
		e = texts
	}
	before, held := e.value.(*structure)
	if !held || before.pagesErr != nil || now.pagesErr != nil || versionOf(before.pages) == versionOf(now.pages) {
		return
	}
	if last, _, err := c.Source(paper); err == nil && last.guid != "" && c.SameEdition(paper, e.fetched) {
		c.replaced(ctx, paper)
	}
}

func newStructure(body []byte) *structure {
	pages, err := remote.ParseStructure(body)
	return &structure{body, pages, err}
}

func structureKey(id int64, text bool) key {
	if text {
		return key{DocStructureText, id, ""}
	}
	return key{DocStructure, id, ""}
}

// Structure returns the answer of GetPaperStructure as received: 1 request, 0 while
// cached. The caller must not modify the bytes; that holds for all documents.
func (c *Cache) Structure(ctx context.Context, id int64, text bool) ([]byte, error) {
	s, err := c.structure(ctx, id, text)
	if err != nil {
		return nil, err
	}
	return s.body, nil
}

// Pages returns the pages of a paper with the addresses of their images: 1 request, 0
// while the structure is cached with or without text.
func (c *Cache) Pages(ctx context.Context, id int64) ([]remote.Page, error) {
	if value, fresh, _ := c.documents.peek(structureKey(id, true), c.ttl); fresh {
		s := value.(*structure)
		return s.pages, s.pagesErr
	}
	s, err := c.structure(ctx, id, false)
	if err != nil {
		return nil, err
	}
	return s.pages, s.pagesErr
}

// KnownPages returns the pages in memory, however old, so that a listing makes no
// requests.
func (c *Cache) KnownPages(id int64) ([]remote.Page, bool) {
	var best *structure
	for _, text := range []bool{false, true} {
		value, fresh, ok := c.documents.peek(structureKey(id, text), c.ttl)
		if !ok || value.(*structure).pagesErr != nil {
			continue
		}
		if best == nil || fresh {
			best = value.(*structure)
		}
	}
	if best == nil {
		return nil, false
	}
	return best.pages, true
}

// PagesAsked returns when the pages in memory were asked for, the zero time if there are none.
func (c *Cache) PagesAsked(id int64) (at time.Time) {
	for _, text := range []bool{false, true} {
		if e, held := c.documents.held(structureKey(id, text)); held && !e.dropped && e.fetched.After(at) {
			at = e.fetched
		}
	}
	return at
}

// PagesVersion returns a hash of a paper's pages: a new version of a paper has pages with
// new ids. ok is false if the structure is not in memory. It makes no requests.
func (c *Cache) PagesVersion(id int64) (version uint64, ok bool) {
	pages, ok := c.KnownPages(id)
	return versionOf(pages), ok
}

func versionOf(pages []remote.Page) uint64 {
	h, place := fnv.New64a(), make([]byte, 0, 16)
	for _, p := range pages {
		place = binary.LittleEndian.AppendUint64(place[:0], uint64(p.ID))
		_, _ = h.Write(binary.LittleEndian.AppendUint64(place, uint64(p.Number)))
	}
	return h.Sum64()
}

// PageText returns the indexed text of one page: 1 request for all pages of a paper. It
// returns ErrUnknownPage if there is no such page.
func (c *Cache) PageText(ctx context.Context, id int64, number int) (string, error) {
	s, err := c.structure(ctx, id, true)
	if err != nil {
		return "", err
	}
	if s.pagesErr != nil {
		return "", s.pagesErr
	}
	for _, p := range s.pages {
		if p.Number == number {
			return p.Text, nil
		}
	}
	return "", fmt.Errorf("page %d: %w", number, ErrUnknownPage)
}

// Links returns the answer of GetLinks as received: 1 request, 0 while cached.
func (c *Cache) Links(ctx context.Context, id int64) ([]byte, error) {
	return c.document(ctx, key{DocLinks, id, ""}, func(ctx context.Context) ([]byte, error) {
		return c.service.GetLinks(ctx, id)
	})
}

// Orders returns the answer of GetFlipbookOrdersByType as received, for one of
// CheckoutTypes or, if checkoutType is empty, for all: 1 request, 0 while cached.
func (c *Cache) Orders(ctx context.Context, id int64, checkoutType string) ([]byte, error) {
	return c.document(ctx, key{DocOrders, id, checkoutType}, func(ctx context.Context) ([]byte, error) {
		return c.service.GetFlipbookOrdersByType(ctx, id, checkoutType)
	})
}
