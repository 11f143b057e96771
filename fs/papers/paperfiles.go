package papers

import (
	"context"

	"paperfs/cache/document"
	"paperfs/fs/papers/names"
	"paperfs/fs/virtual"
	"paperfs/remote"
)

// paperFiles is the inside of a paper's directory. The names never change.
type paperFiles struct {
	*Tree
	id int64
}

var paperEntries = []virtual.Entry{
	asFile("id"), asFile("url"), asFile("address"), asFile("publication"), asFile("preview"),
	asFile("structure.xml"), asFile("structure-text.xml"), asFile("links.xml"), asFile(names.Source), asFile("job"),
	asDir("settings"), asDir("fields"), asDir("orders"), asDir("pages"), asDir("statistics"),
}

func (p paperFiles) List(context.Context) ([]virtual.Entry, error) { return p.shownEntries(), nil }

// shownEntries are the names in a paper's directory.
func (p paperFiles) shownEntries() []virtual.Entry {
	if !p.removed.has(p.id) {
		return paperEntries
	}
	var entries []virtual.Entry
	for _, e := range paperEntries {
		if e.Name != names.Source {
			entries = append(entries, e)
		}
	}
	return entries
}

// Fixed implements virtual.Fixed.
func (p paperFiles) Fixed() {}

func (p paperFiles) Find(_ context.Context, name string) (virtual.Node, error) {
	switch name {
	case "address":
		return p.address(p.id), nil
	case "publication":
		return p.publication(p.id), nil
	case "preview":
		return p.preview(p.id), nil
	case "structure.xml":
		return p.structure(false), nil
	case "structure-text.xml":
		return p.structure(true), nil
	case "links.xml":
		return p.linksFile(), nil
	case names.Source:
		if p.removed.has(p.id) {
			return nil, nil
		}
		return &source{Tree: p.Tree, pdfName: inPaper{tree: p.Tree, id: p.id}}, nil
	case "job":
		return p.job(p.id), nil
	case "fields":
		return p.dir(p.id, p.fields(p.id)), nil
	case "orders":
		return p.dir(p.id, orders(p)), nil
	case "statistics":
		return p.dir(p.id, statistics(p)), nil
	case "pages":
		return p.dir(p.id, pages(p)), nil
	case ".search":
		return p.dir(p.id, searches{p.Tree, p.id, remote.PaperNode}), nil
	}
	return p.common(p.id, name), nil
}

func (p paperFiles) structure(text bool) virtual.Node {
	doc := document.DocStructure
	if text {
		doc = document.DocStructureText
	}
	return p.document(p.id,
		func(ctx context.Context) ([]byte, error) { return p.Documents.Structure(ctx, p.id, text) },
		func() ([]byte, bool) { return p.Documents.Known(doc, p.id, "") })
}

func (p paperFiles) linksFile() virtual.Node {
	return p.document(p.id,
		func(ctx context.Context) ([]byte, error) { return p.Documents.Links(ctx, p.id) },
		func() ([]byte, bool) { return p.Documents.Known(document.DocLinks, p.id, "") })
}
