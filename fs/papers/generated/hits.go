package generated

import (
	"context"
	"fmt"
	"strings"

	"paperfs/cache/document"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// hits is the directory of one query: results.xml and a symlink for each hit,
// numbered in the service's order. It is empty when nothing was found.
type hits struct {
	*Nodes
	id  int64 // the node that is searched
	ask query
}

const results = "results.xml"

// hit is one symlink of a search directory.
type hit struct {
	name string
	id   int64
	page int // a page of the paper; 0: the paper itself
}

// inside returns the path of the hit inside the paper.
func (h hit) inside() string {
	if h.page == 0 {
		return ""
	}
	return "/pages/" + pageName(h.page)
}

// aboutHit describes the target of a hit.
func (h hits) aboutHit(to hit) virtual.About {
	if to.page == 0 {
		return h.About(to.id)
	}
	return h.aboutPage(to.id, to.page)
}

func (h hits) List(ctx context.Context) ([]virtual.Entry, error) {
	found, err := virtual.Read(ctx, h.hits)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	entries := []virtual.Entry{virtual.FileEntry(results)}
	for _, hit := range found {
		entries = append(entries, virtual.LinkEntry(hit.name))
	}
	return entries, nil
}

func (h hits) Find(ctx context.Context, name string) (virtual.Node, error) {
	if name == results {
		return &virtual.Document{Env: h.Env, About: h.About(h.id), Load: func(ctx context.Context) ([]byte, error) {
			result, err := h.ask(ctx)
			if len(result.Payload) > 0 {
				err = nil // a payload that cannot be parsed can still be read
			}
			return result.Payload, err
		}}, nil
	}
	if name == "" || name[0] < '0' || name[0] > '9' {
		return nil, nil
	}
	found, err := virtual.Read(ctx, h.hits)
	if err != nil {
		return nil, err
	}
	for _, hit := range found {
		if hit.name == name {
			return &virtual.Symlink{Env: h.Env, About: h.aboutHit(hit), Target: func() string {
				return h.target(h.levels(), hit.id, hit.inside())
			}}, nil
		}
	}
	return nil, nil
}

// levels returns how deep this directory is below the mount's root.
func (h hits) levels() int {
	const own = 3 // .search, the kind of search, the query
	s := h.Catalogue.Peek()
	if s == nil {
		return own
	}
	return strings.Count(names.Path(s, h.id), "/") + 1 + own
}

func (h hits) hits(ctx context.Context) ([]hit, error) {
	result, err := h.ask(ctx)
	if err != nil {
		return nil, err
	}
	return nameHits(result), nil
}

// nameHits names the hits: their number, the paper's name without regard to siblings and,
// for a page, its number. Categories in the result are ancestors of hits, not hits.
func nameHits(result document.Result) []hit {
	var hits []hit
	add := func(id int64, paper, end string, page int) {
		begin := fmt.Sprintf("%03d ", len(hits)+1)
		shown := names.Show([]remote.Node{{ID: id, Kind: remote.PaperNode, Name: paper}})[0]
		if room := names.Max - len(begin) - len(end); len(shown) > room {
			shown = strings.ToValidUTF8(shown[:room], "")
		}
		hits = append(hits, hit{begin + shown + end, id, page})
	}
	for _, p := range result.Papers {
		if p.Kind == remote.PaperNode {
			add(p.ID, p.Name, "", 0)
		}
	}
	for _, p := range result.Pages {
		add(p.PaperID, p.Name, fmt.Sprintf(" p%03d", p.Page), p.Page)
	}
	return hits
}

// query runs a search; the document cache caches the answer.
type query func(ctx context.Context) (document.Result, error)
