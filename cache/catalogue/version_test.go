package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/remote"
)

// colleague returns a client that the catalogue knows nothing of.
func (r *real) colleague(t *testing.T) *remote.Client {
	c, err := remote.New(remote.Options{BaseURL: r.fixture.URL, Username: r.fixture.Username, Password: r.fixture.Password})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// version returns the version that the catalogue knows of a node.
func version(c *catalogue.Catalogue, id int64) remote.Version {
	n, _ := c.Peek().Node(id)
	return n.Version
}

// connected returns a catalogue with a tree that has papers of the given names.
func (r *real) connected(t *testing.T, names ...string) (c *catalogue.Catalogue, papers []int64) {
	c = r.open(t)
	require.NoError(t, c.Connect(ctx))
	_, err := c.Snapshot(ctx)
	require.NoError(t, err)
	for _, name := range names {
		n, err := c.Create(ctx, remote.PaperNode, c.RootID(), name)
		require.NoError(t, err)
		papers = append(papers, n.ID)
	}
	require.NoError(t, c.Refresh(ctx))
	return c, papers
}

// TestAVersionIsKnownAfterWhatTellsIt checks which of our own changes leave the version of a node known.
func TestAVersionIsKnownAfterWhatTellsIt(t *testing.T) {
	t.Parallel()
	r := start(t)
	c, papers := r.connected(t, "A")
	a := papers[0]
	first := version(c, a)
	require.NotZero(t, first)
	require.NoError(t, c.Move(ctx, a, c.RootID(), "B"))
	require.NotZero(t, version(c, a))
	require.NotEqual(t, first, version(c, a))
	require.NoError(t, c.ChangeURL(ctx, a, "other"))
	require.Zero(t, version(c, a))
	require.NoError(t, c.Move(ctx, a, c.RootID(), "C"), "an unknown version requires none")
	require.NotZero(t, version(c, a))
	c.Close()
	c = r.open(t)
	require.NotZero(t, version(c, a), "the next mount knows it, too")
}

// TestAChangeOfWhatTheTreeDoesNotShowFails checks that a change of what the tree does not show fails, and that the tree
// then shows it.
func TestAChangeOfWhatTheTreeDoesNotShowFails(t *testing.T) {
	t.Parallel()
	for what, do := range map[string]func(c *catalogue.Catalogue, id, category int64) error{
		"rename": func(c *catalogue.Catalogue, id, _ int64) error { return c.Move(ctx, id, c.RootID(), "Mine") },
		"move":   func(c *catalogue.Catalogue, id, category int64) error { return c.Move(ctx, id, category, "") },
		"delete": func(c *catalogue.Catalogue, id, _ int64) error { return c.Delete(ctx, id) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			c, papers := r.connected(t, "A")
			a := papers[0]
			category, err := c.Create(ctx, remote.CategoryNode, c.RootID(), "Category")
			require.NoError(t, err)
			require.NoError(t, r.colleague(t).RenamePaper(ctx, a, "Theirs", 0))
			require.ErrorIs(t, do(c, a, category.ID), catalogue.ErrChanged)
			n, ok := c.Peek().Node(a)
			require.True(t, ok)
			require.Equal(t, "Theirs", n.Name)
			require.NoError(t, do(c, a, category.ID), "the second time")
		})
	}
}
