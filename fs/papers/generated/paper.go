package generated

import (
	"context"

	"paperfs/cache/document"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// PaperFiles and PaperDirs are the generated and listed entries of each paper's directory.
var (
	PaperFiles = []virtual.Entry{
		virtual.FileEntry("id"), virtual.FileEntry("url"), virtual.FileEntry("address"), virtual.FileEntry("publication"), virtual.FileEntry("preview"),
		virtual.FileEntry("structure.xml"), virtual.FileEntry("structure-text.xml"), virtual.FileEntry("links.xml"),
	}
	PaperDirs = []virtual.Entry{
		virtual.DirEntry("settings"), virtual.DirEntry("fields"), virtual.DirEntry("orders"), virtual.DirEntry("pages"), virtual.DirEntry("statistics"),
	}
)

// InPaper returns the node for a name in a paper's directory, listed or not, or nil if no
// generated node has the name.
func (g *Nodes) InPaper(id int64, name string) virtual.Node {
	switch name {
	case "address":
		return g.address(id)
	case "publication":
		return g.publication(id)
	case "preview":
		return g.preview(id)
	case "pdf-options":
		return g.pdfOptions(id)
	case "structure.xml":
		return g.structure(id, false)
	case "structure-text.xml":
		return g.structure(id, true)
	case "links.xml":
		return g.links(id)
	case "fields":
		return g.Dir(id, g.fields(id))
	case "orders":
		return g.Dir(id, orders{g, id})
	case "statistics":
		return g.Dir(id, statistics{g, id})
	case "pages":
		return g.Dir(id, pages{g, id})
	case ".search":
		return g.Dir(id, searches{g, id, remote.PaperNode})
	}
	return g.common(id, name)
}

func (g *Nodes) structure(id int64, text bool) *virtual.Document {
	doc := document.DocStructure
	if text {
		doc = document.DocStructureText
	}
	return g.document(id,
		func(ctx context.Context) ([]byte, error) { return g.Documents.Structure(ctx, id, text) },
		func() ([]byte, bool) { return g.Documents.Known(doc, id, "") })
}

func (g *Nodes) links(id int64) *virtual.Document {
	return g.document(id,
		func(ctx context.Context) ([]byte, error) { return g.Documents.Links(ctx, id) },
		func() ([]byte, bool) { return g.Documents.Known(document.DocLinks, id, "") })
}

// common returns the node for a name that papers and categories share, or nil.
func (g *Nodes) common(id int64, name string) virtual.Node {
	switch name {
	case "id":
		v := g.Value(id, func(context.Context) (string, error) { return decimal(id), nil }, nil)
		v.Known = func() (string, bool) { return decimal(id), true }
		return v
	case "url":
		return g.url(id)
	case "settings":
		return g.Dir(id, g.settings(id))
	}
	return nil
}
