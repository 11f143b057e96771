package admin

import (
	"strings"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/importfile"
	"paperfs/remote/service/store"
)

// place finds the node of an import, or creates it.
func (i *importer) place(n importfile.Node) (store.Node, error) {
	at, err := i.find(n)
	if err != nil {
		return at, err
	}
	if at.Kind != n.Kind {
		return at, importfile.Errorf(n.Line, "%s is a %s, not a %s", placeName(n), kindNames[at.Kind], kindNames[n.Kind])
	}
	return at, nil
}

var kindNames = map[remote.NodeKind]string{remote.CategoryNode: "category", remote.PaperNode: "paper"}

func placeName(n importfile.Node) string {
	if n.URL != "" {
		return n.URL
	}
	return "the node with this id"
}

func (i *importer) find(n importfile.Node) (store.Node, error) {
	if n.URL == "" {
		at, err := i.tx.Node(i.tenant.ID, n.ID)
		if store.IsNotFound(err) {
			return at, importfile.Errorf(n.Line, "there is no category or paper %d", n.ID)
		}
		return at, err
	}
	rest, ok := rules.CutPrefix(n.URL, i.tenant.RootURL)
	if !ok || rest != "" && !strings.HasSuffix(rest, "/") {
		return store.Node{}, importfile.Errorf(n.Line, "url %q has to begin with %s and to end with a slash", n.URL, i.tenant.RootURL)
	}
	at, err := i.tx.Node(i.tenant.ID, i.tenant.Root)
	for rest != "" && err == nil {
		var segment string
		segment, rest, _ = strings.Cut(rest, "/")
		at, err = i.step(n, at, segment, rest == "")
	}
	return at, err
}

// step goes from a node to its child. It creates a missing child: of the import's kind if it is
// the last part of the address, else as a category.
func (i *importer) step(n importfile.Node, parent store.Node, segment string, last bool) (store.Node, error) {
	if parent.Kind != remote.CategoryNode {
		return parent, importfile.Errorf(n.Line, "url %q leads through a paper, %s", n.URL, parent.Name)
	}
	if !rules.Segment(segment) {
		return parent, importfile.Errorf(n.Line, "url %q: each part has to be "+rules.SegmentWords, n.URL)
	}
	child, err := i.tx.Child(parent.ID, segment)
	if !store.IsNotFound(err) {
		return child, err
	}
	child = store.Node{Tenant: i.tenant.ID, Parent: parent.ID, Kind: remote.CategoryNode, Name: segment, URLName: segment}
	if last {
		child.Kind = n.Kind
		if name := strings.TrimSpace(n.Name); name != "" {
			child.Name = name
		}
		if rules.NodeName(child.Name) != rules.None {
			return parent, importfile.Errorf(n.Line, "name has to be 1 to 255 characters, without control characters")
		}
	}
	if child.Kind == remote.PaperNode {
		i.report.Papers++
	} else {
		i.report.Categories++
	}
	child.ID, err = i.tx.AddNode(child)
	return child, err
}
