package apitest

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestATreeIsBoundedInDepth checks that no change makes a tree deep: an answer with all
// addresses would grow with the square of its depth.
func TestATreeIsBoundedInDepth(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	chain := func(parent string, n int) (top, bottom string) {
		for i := range n {
			parent = s.category(parent, "d")
			if i == 0 {
				top = parent
			}
		}
		return top, parent
	}
	_, bottom := chain(root, 100)
	s.paper(bottom, "p")
	refused := s.fails(remote.Failure, remote.CreateCategory, "parentID", bottom, "name", "n", "urlName", "n")
	require.Equal(t, "Categories lie at most 100 deep.", refused.words)

	side := s.category(root, "side")
	top, _ := chain(side, 2)
	above := s.must(remote.GetPaperIDFromUrl, "url", s.above(bottom, 1)).attribute(t, "id")
	refused = s.fails(remote.Failure, remote.MovePaper, "sourcePaperID", top, "destinationParentID", above)
	require.Equal(t, "Categories lie at most 100 deep.", refused.words)
	higher := s.must(remote.GetPaperIDFromUrl, "url", s.above(bottom, 3)).attribute(t, "id")
	s.must(remote.ChangePaperUrl, "paperID", top, "newUrl", "e")
	s.must(remote.MovePaper, "sourcePaperID", top, "destinationParentID", higher)
	s.must(remote.MovePaper, "sourcePaperID", top, "destinationParentID", root)
	s.must(remote.MovePaper, "sourcePaperID", s.paper(root, "q"), "destinationParentID", bottom)
}

// above returns the address so many steps above a node.
func (s *server) above(node string, steps int) string {
	url := s.must(remote.GetPaperUrlFromID, "paperID", node).attribute(s.t, "url")
	for range steps {
		url = url[:len(url)-1]
		for url[len(url)-1] != '/' {
			url = url[:len(url)-1]
		}
	}
	return url
}

// TestNoNodeHasAnAddressOfTheServiceItself checks the names that the router serves
// something else under: they are refused at the root, and in any case.
func TestNoNodeHasAnAddressOfTheServiceItself(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	inside := s.category(root, "inside")
	for _, name := range []string{"V2", "v2", "media", "Media", "reader"} {
		words := "The service itself uses the addresses below /" + name + "/."
		for _, op := range []*remote.Operation{remote.CreateCategory, remote.CreatePaper} {
			require.Equal(t, words, s.fails(remote.Failure, op, "parentID", root, "name", "n", "urlName", name).words)
		}
		paper := s.paper(inside, name+"-1")
		require.Equal(t, words, s.fails(remote.Failure, remote.ChangePaperUrl, "paperID", inside, "newUrl", name).words)
		s.must(remote.ChangePaperUrl, "paperID", paper, "newUrl", name)
		require.Equal(t, words, s.fails(remote.Failure, remote.MovePaper, "sourcePaperID", paper, "destinationParentID", root).words)
		s.must(remote.DeletePaper, "paperID", paper)
	}
}

var (
	entryLink  = regexp.MustCompile(`<li(?: class="category")?><a href="([^"?]*)/"`)
	moreLink   = regexp.MustCompile(`<a class="button" rel="next" href="([^"]*)">`)
	wordsShort = "too much of what follows is not published"
)

func listed(page reply) (names []string) {
	for _, found := range entryLink.FindAllStringSubmatch(page.body, -1) {
		names = append(names, found[1])
	}
	return names
}

// TestCategoryPageIsBounded checks that a category's page shows a limited number of entries, links
// to the rest, and reads a limited number of nodes.
func TestCategoryPageIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	large := s.category(root, "a-large")
	for i := range 30 {
		s.filled(large, fmt.Sprint("p", i))
	}
	s.filled(s.category(s.category(root, "b"), "deep"), "p")
	hide := func(paper string) {
		s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2020-01-01", "to", "2021-01-01")
	}
	hide(s.filled(s.category(root, "c-hidden"), "p"))
	for _, name := range []string{"d", "e", "f", "g", "h"} {
		s.filled(root, name)
	}
	s.setListing(3, 20)

	var all []string
	for path := "/"; ; {
		page := s.visit(path)
		require.Equal(t, 200, page.status)
		require.NotContains(t, page.body, wordsShort)
		names := listed(page)
		require.LessOrEqual(t, len(names), 3)
		all = append(all, names...)
		more := moreLink.FindStringSubmatch(page.body)
		if more == nil {
			break
		}
		path = "/" + more[1]
	}
	require.Equal(t, []string{"a-large", "b", "d", "e", "f", "g", "h"}, all, "the root's list does not read the thirty papers")
	require.Equal(t, all[:3], listed(s.visit("/?Page=x")))
	require.Equal(t, all[:3], listed(s.visit("/?Page=0")))
	for _, beyond := range []string{"4", "2147483647"} {
		require.Equal(t, 404, s.visit("/?Page="+beyond).status)
	}

	page := s.visit("/a-large/?Page=7")
	require.Contains(t, page.body, wordsShort, "twenty nodes, including the category itself")
	require.Len(t, listed(page), 1)
	require.Equal(t, 404, s.visit("/a-large/?Page=8").status)
}

// TestEmptyPapersCountForACategoryPage checks that the page of a category reads a limited number of
// nodes also if they are papers without pages, of which it shows none.
func TestEmptyPapersCountForACategoryPage(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	s.filled(root, "a")
	for i := range 5 {
		s.paper(root, fmt.Sprint("empty", i))
	}
	s.filled(root, "z")
	s.setListing(3, 20)
	page := s.visit("/")
	require.Equal(t, []string{"a", "z"}, listed(page))
	require.NotContains(t, page.body, wordsShort)
	s.setListing(3, 6)
	page = s.visit("/")
	require.Equal(t, []string{"a"}, listed(page))
	require.Contains(t, page.body, wordsShort)
}
