package generated

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"paperfs/cache/document"
	"paperfs/fs/caller"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// pages is the directory of a paper's pages. A page can always be entered by its number,
// even if a walker is refused the listing.
type pages struct {
	*Nodes
	id int64
}

// pageName returns the name of a page's directory: three digits, more above 999.
func pageName(number int) string { return fmt.Sprintf("%03d", number) }

func (p pages) List(ctx context.Context) ([]virtual.Entry, error) {
	var entries []virtual.Entry
	if last, told := p.pagesTold(p.id); told {
		for number := range last {
			entries = append(entries, virtual.DirEntry(pageName(number+1)))
		}
		return entries, nil
	}
	listed, err := p.pagesToList(ctx, p.id)
	for _, page := range listed {
		entries = append(entries, virtual.DirEntry(pageName(page.Number)))
	}
	return entries, err
}

func (p pages) Find(ctx context.Context, name string) (virtual.Node, error) {
	number, err := strconv.Atoi(name)
	if err != nil || number < 1 || pageName(number) != name {
		return nil, nil
	}
	last, told := p.pagesTold(p.id)
	known, ok := p.Documents.KnownPages(p.id)
	told = told && number <= last
	if !told && (!ok || !hasPage(known, number)) {
		known, err = virtual.Read(ctx, func(ctx context.Context) ([]remote.Page, error) { return p.Documents.Pages(ctx, p.id) })
	}
	if err != nil || !told && !hasPage(known, number) {
		return nil, err
	}
	return &virtual.Dir{Env: p.Env, About: p.aboutPage(p.id, number), Source: page{p.Nodes, p.id, number}}, nil
}

func hasPage(pages []remote.Page, number int) bool {
	for _, p := range pages {
		if p.Number == number {
			return true
		}
	}
	return false
}

// page is the directory of one page.
type page struct {
	*Nodes
	id     int64
	number int
}

// images are the files of a page's pictures, by the service's name for their type.
var images = []struct{ name, kind string }{{"zoom.jpg", "Zoom"}, {"normal.jpg", "Normal"}, {"thumb.jpg", "Thumb"}}

func (p page) List(ctx context.Context) ([]virtual.Entry, error) {
	entries := []virtual.Entry{virtual.FileEntry("text.txt")}
	_, told := p.pagesTold(p.id)
	var listed []remote.Page
	var err error
	if !told {
		listed, err = p.pagesToList(ctx, p.id)
	}
	for _, image := range images {
		if told || hasImage(listed, p.number, image.kind) {
			entries = append(entries, virtual.FileEntry(image.name))
		}
	}
	return entries, err
}

func hasImage(pages []remote.Page, number int, kind string) bool {
	for _, p := range pages {
		for _, i := range p.Images {
			if p.Number == number && i.Type == kind {
				return true
			}
		}
	}
	return false
}

func (p page) Find(_ context.Context, name string) (virtual.Node, error) {
	if name == "text.txt" {
		return p.file(func(ctx context.Context) ([]byte, error) {
			text, err := p.Documents.PageText(ctx, p.id, p.number)
			return []byte(text), err
		}), nil
	}
	_, told := p.pagesTold(p.id)
	known, _ := p.Documents.KnownPages(p.id)
	for _, image := range images {
		if image.name == name && (told || hasImage(known, p.number, image.kind)) {
			return p.file(func(ctx context.Context) ([]byte, error) {
				return p.Documents.Image(ctx, p.id, p.number, image.kind)
			}), nil
		}
	}
	return nil, nil
}

func (p page) file(load func(context.Context) ([]byte, error)) virtual.Node {
	return &virtual.Document{Env: p.Env, About: p.aboutPage(p.id, p.number), Load: load, Version: p.pagesVersion(p.id)}
}

// pagesTold returns how many pages a paper has if the tree tells that, unless its structure was read later. The
// structure alone tells which pictures a page has: until it is read, the page is shown with all.
func (g *Nodes) pagesTold(id int64) (last int, told bool) {
	s := g.Catalogue.Peek()
	if s == nil {
		return 0, false
	}
	n, _ := s.WithoutAddress(id)
	return int(n.Pages.N), n.Pages.Told && !g.Documents.PagesAsked(id).After(s.Fetched())
}

// pagesToList returns a paper's pages for a process that lists them: those in the cache,
// else those that the service returns, unless the process is a walker. That a paper has
// none is not known for longer than any answer: its PDF may be at work.
func (g *Nodes) pagesToList(ctx context.Context, id int64) ([]remote.Page, error) {
	known, cached := g.Documents.KnownPages(id)
	_, fresh := g.Documents.Known(document.DocStructure, id, "")
	cached = cached && (len(known) > 0 || fresh)
	if err := g.walkers.refuse(caller.Process(caller.Thread(ctx)), id, cached, time.Now()); err != nil || cached {
		return known, err
	}
	return virtual.Read(ctx, func(ctx context.Context) ([]remote.Page, error) { return g.Documents.Pages(ctx, id) })
}
