package reader

import (
	"net/http"
	"strconv"

	"paperfs/remote/service/answer"
)

// mostPages is the largest number of cached pages. Those smaller than Reader.SpoolFrom are in
// memory.
const mostPages = 64

// Pages caches the pages of papers, so that many readers of one page cost one rendering. The key
// includes the ETag, which covers all that a page depends on. The caller checks the right to see
// the paper first.
type Pages = answer.Cache[pageKey, string]

// roomOfPages is the largest total size of the cached pages: a page may have twenty thousand
// products of a kilobyte or more each.
const roomOfPages = 256 << 20

// NewPages returns an empty cache.
func NewPages() *Pages { return &Pages{Most: mostPages, Room: roomOfPages} }

// NewTiles returns an empty cache for what is drawn of pages, so that it displaces none of them.
func NewTiles() *Pages { return &Pages{Most: 4 * mostPages, Room: roomOfPages / 2} }

// pageKey is the cache key of a page: its address and form. A newer version of the page
// replaces the cached one. Pages contain their absolute address, so base is in the key.
type pageKey struct {
	base   string // the absolute address of the tenant
	node   int64
	first  int
	sharp  int
	led    bool
	text   bool
	query  string
	zipped bool
}

type (
	keptPage = answer.Kept[pageKey, string]
	making   = answer.Making[pageKey, string]
)

// shared is the part of a request that it shares with other requests for the same page.
type shared struct {
	key    pageKey
	tag    string
	found  *keptPage // the cached page
	making *making   // this request's rendering, for which others may wait
	other  *making   // the other request's rendering, for which this one waits
	alone  bool      // the page cannot be cached: each request renders its own
}

// claim reports whether this request has nothing to render: the page is cached, or another request
// renders it.
func (p *page) claim(o *opened, tag string) bool {
	v := &o.view
	p.key, p.tag = pageKey{p.Base.Public(p.r, o.tenant, ""), o.node.ID, v.First, v.Sharp, v.Anchored, v.Text, v.Query, answer.AcceptsGzip(p.r)}, tag
	if p.alone {
		return false
	}
	p.found, p.making, p.other = p.Pages.Claim(p.key, tag)
	return p.making == nil
}

// await waits for the page that another request renders, and reports whether to look again. It
// holds nothing of the store.
func (p *page) await() bool {
	if p.other == nil {
		return false
	}
	select {
	case <-p.other.Done():
		p.alone, p.other = p.other.Alone(), nil
		return true
	case <-p.r.Context().Done():
		p.answered = true // the client disconnected
		p.w.WriteHeader(statusGone)
		return false
	}
}

// send sends the rendered or cached page, unless the request is answered already.
func (p *page) send() {
	if p.answered {
		return
	}
	if p.making != nil {
		p.keep()
	}
	if p.found == nil || p.out.Begun() {
		_ = p.out.Finish() // the client may have disconnected
		return
	}
	p.head(p.key.zipped)
	p.w.Header().Set("Content-Length", strconv.FormatInt(p.found.Size, 10))
	if p.r.Method != http.MethodHead {
		_, _ = p.found.WriteTo(p.w) // the client may have disconnected
	}
}

// keep caches the rendered page, which may still be on its way to the client.
func (p *page) keep() {
	p.found = answer.Keep(p.out, p.key, p.tag, p.key.zipped)
	p.made(p.found != nil && p.Pages.Put(p.found))
}

// made tells the waiting requests that the page is cached, or that they render their own.
func (p *page) made(kept bool) {
	p.Pages.Done(p.making, !kept)
	p.making = nil
}

// end releases what other requests may wait for.
func (p *page) end() {
	p.Pages.Done(p.making, false) // if the rendering failed
	if p.found != nil {
		p.Pages.Release(p.found)
	}
}
