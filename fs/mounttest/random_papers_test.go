package mounttest

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// inPapers is the category of the random gestures, from the mount's root.
const inPapers = "papers/R/"

// papers adds the PDFs whose pages the service has to the found ones, and lists what is wrong with
// the papers, and with the PDFs that the mount shows.
func (g *gestures) papers(found map[string]string) (wrong []string) {
	g.t.Helper()
	c := g.client()
	var category int64
	var papers []remote.Node
	require.NoError(g.t, c.GetAllPapers(g.t.Context(), g.status().Tree.RootID, func(n remote.Node) error {
		switch {
		case n.Kind == remote.CategoryNode && n.Name == "R":
			category = n.ID
		case n.Kind == remote.PaperNode && n.Parent == category:
			papers = append(papers, n)
		}
		return nil
	}))
	once := map[string]bool{}
	for _, n := range papers {
		path := inPapers + n.Name + ".pdf"
		if once[path] {
			wrong = append(wrong, path+" is there twice")
		}
		once[path] = true
		structure := testrun.Must(c.GetPaperStructure(g.t.Context(), n.ID, true))(g.t)
		pages := testrun.Must(remote.ParseStructure(structure))(g.t)
		if len(pages) == 0 {
			continue // the paper exists, but has no PDF
		}
		text := strings.TrimSpace(pages[0].Text)
		if found[path] = g.oracle.pdfs[text]; found[path] == "" {
			wrong = append(wrong, fmt.Sprintf("%s has a page of %q, which nobody has dropped", path, text))
		}
	}
	whole := map[string]bool{}
	for _, digest := range g.oracle.pdfs {
		whole[digest] = true
	}
	for name, digest := range g.shownPDFs(papers) {
		if !whole[digest] && digest != sum("") {
			wrong = append(wrong, fmt.Sprintf("%s shows %.8s, which is no whole PDF", name, digest))
		}
	}
	return wrong
}

// shownPDFs returns the digests of the PDFs that the mount shows next to papers.
func (g *gestures) shownPDFs(papers []remote.Node) map[string]string {
	shown := map[string]string{}
	for _, n := range papers {
		out, err := g.run("bash", "sha256sum < "+inPapers+n.Name+".pdf 2> /dev/null")
		if digest, _, ok := strings.Cut(out, " "); ok && err == nil {
			shown[n.Name] = digest
		}
	}
	return shown
}

// toldOfPaper reports whether errors names a PDF's paper: by one of its temporary names, or in its
// directory.
func toldOfPaper(told map[string]bool, path string) bool {
	stem, ok := strings.CutSuffix(path, ".pdf")
	for t := range told {
		if ok && strings.HasPrefix(t, stem+".") {
			return true
		}
	}
	return false
}
