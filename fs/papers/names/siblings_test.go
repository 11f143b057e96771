package names

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// fixedService serves one root category with children and nothing else.
type fixedService struct {
	catalogue.Service
	children []remote.Node
}

func (s *fixedService) Offers() (remote.Offers, bool) { return remote.Offers{}, true }

func (s *fixedService) GetPaperIDFromUrl(context.Context, string) (int64, bool, error) {
	return rootID, true, nil
}

func (s *fixedService) GetAllPapersIfChanged(_ context.Context, _ int64, _ remote.Validator, visit func(remote.Node) error) (remote.Validator, error) {
	if err := visit(remote.Node{ID: rootID, Kind: remote.CategoryNode, Name: "root", URL: "/"}); err != nil {
		return "", err
	}
	for _, n := range s.children {
		if err := visit(n); err != nil {
			return "", err
		}
	}
	return "", nil
}

func (s *fixedService) CreateCategory(_ context.Context, _ remote.Node, _, _ string) (int64, error) {
	return 900, nil
}

const rootID = 1000

// treeOf returns a catalogue whose root has the service's children.
func treeOf(t interface {
	require.TestingT
	Cleanup(func())
}, service *fixedService) *catalogue.Catalogue {
	c, err := catalogue.New(catalogue.Options{Service: service})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	require.NoError(t, c.Connect(context.Background()))
	require.NoError(t, c.Refresh(context.Background()))
	return c
}

func below(parent int64, nodes []remote.Node) []remote.Node {
	placed := make([]remote.Node, len(nodes))
	for i, n := range nodes {
		n.Parent, n.URL = parent, fmt.Sprintf("/n%d/", n.ID)
		placed[i] = n
	}
	return placed
}

// TestNamesOfSingleNodesAreThoseOfTheirListing checks that the name of a single node equals the one
// that Show returns for it among its siblings.
func TestNamesOfSingleNodesAreThoseOfTheirListing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		service := &fixedService{children: below(rootID, siblings().Draw(t, "siblings"))}
		c := treeOf(t, service)
		if rapid.Bool().Draw(t, "one made here") {
			_, err := c.Create(context.Background(), remote.CategoryNode, rootID, rapid.SampledFrom([]string{"A", "x/y", "new"}).Draw(t, "made"))
			if err != nil {
				require.ErrorIs(t, err, catalogue.ErrTaken)
			}
		}
		s := c.Peek()
		children := s.Children(rootID)
		names := Show(children)
		for i, name := range names {
			n, _ := s.WithoutAddress(children[i].ID)
			require.Equal(t, name, Of(s, n))
			found, ok := Find(s, rootID, name)
			require.True(t, ok, "%q is not found", name)
			require.Equal(t, n, found)
			require.Equal(t, "papers/"+name, Path(s, n.ID))
		}
		for _, other := range []string{"A", "A.paper", "A~1", "A~2.paper", "x／y", "．h", "~9", ".paper", "‛", "nobody", "~"} {
			_, ok := Find(s, rootID, other)
			require.Equal(t, contains(names, other), ok, "%q", other)
		}
		checkTakes(t, s, children)
	})
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// checkTakes checks that a name is available exactly if a new node with it would be shown under it.
func checkTakes(t *rapid.T, s *catalogue.Snapshot, children []remote.Node) {
	for _, name := range []string{"A", "A.paper", "x／y", "new", "url.paper"} {
		kind, text, err := Parse(name)
		require.NoError(t, err)
		grown := Show(append(children[:len(children):len(children)], remote.Node{ID: 5000, Kind: kind, Name: text}))
		require.Equal(t, grown[len(grown)-1] == name, Available(s, rootID, name), "%q", name)
	}
}

// TestChangedNamesAreAllThatDiffer checks that a kernel that caches every name, and every missing
// name, until a notification is up to date after each change.
func TestChangedNamesAreAllThatDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		service := &fixedService{children: below(rootID, siblings().Draw(t, "before"))}
		c := treeOf(t, service)
		old := c.Peek()
		var d catalogue.Diff
		c.OnChange(func(_, _ *catalogue.Snapshot, diff catalogue.Diff) { d = diff })
		service.children = below(rootID, siblings().Draw(t, "after"))
		require.NoError(t, c.Refresh(context.Background()))
		c.WaitNotified(context.Background())

		dropped := map[string]bool{}
		for _, name := range Changed(old, c.Peek(), d, never)[rootID] {
			require.False(t, dropped[name], "the kernel is notified of %q twice", name)
			dropped[name] = true
		}
		before, after := shownBy(old), shownBy(c.Peek())
		differ := map[string]bool{}
		for name, n := range before {
			if after[name] != n {
				differ[name] = true
			}
		}
		for name, n := range after {
			if before[name] != n {
				differ[name] = true
			}
		}
		require.Equal(t, differ, dropped)
		if len(differ) > 0 {
			require.Equal(t, []int64{rootID}, d.Dirs)
		}
	})
}

// never is a skip function that skips nothing.
func never(Entry) bool { return false }

func shownBy(s *catalogue.Snapshot) map[string]identity {
	shown := map[string]identity{}
	children := s.Children(rootID)
	for i, name := range Show(children) {
		shown[name] = identity{children[i].Kind, children[i].ID}
	}
	return shown
}
