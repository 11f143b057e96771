package apitest

import (
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
