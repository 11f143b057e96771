package catalogue_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/cache/state"
	"paperfs/cache/state/statetest"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

var (
	_ catalogue.Service = (*remote.Client)(nil)
	_ catalogue.State   = (*state.State)(nil)
)

var ctx = context.Background()

type real struct {
	fixture *servicetest.Fixture
	proxy   *servicetest.Proxy
	state   *state.State
}

func start(t *testing.T) *real {
	r := &real{fixture: servicetest.Start(t)}
	r.proxy = servicetest.NewProxy(t, r.fixture.URL)
	dirs := state.AccountDirs(t.TempDir(), t.TempDir(), r.fixture.URL, r.fixture.Username)
	statetest.Prepare(t, dirs)
	var err error
	r.state, err = state.Open(dirs, "/mnt")
	require.NoError(t, err)
	t.Cleanup(func() { r.state.Close() })
	return r
}

func (r *real) open(t *testing.T, alter ...func(*remote.Options)) *catalogue.Catalogue {
	o := remote.Options{BaseURL: r.proxy.URL, Username: r.fixture.Username, Password: r.fixture.Password}
	for _, a := range alter {
		a(&o)
	}
	client, err := remote.New(o)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	c, err := catalogue.New(catalogue.Options{Service: client, State: r.state, Saved: filepath.Join(r.state.Dir("catalogue"), "tree")})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func listing(s *catalogue.Snapshot) []remote.Node {
	var nodes []remote.Node
	s.Walk(s.Root().ID, func(n remote.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	return nodes
}

// requireServices fetches the tree, which must equal the patched one: but for versions that a local change left unknown.
func requireServices(t *testing.T, c *catalogue.Catalogue, patched []remote.Node, about ...any) {
	t.Helper()
	require.NoError(t, c.Refresh(ctx))
	fetched := listing(c.Peek())
	for i := range min(len(patched), len(fetched)) {
		require.NotZero(t, fetched[i].Version)
		if patched[i].Version == 0 {
			patched[i].Version = fetched[i].Version
		}
	}
	require.Equal(t, fetched, patched, about...)
}

// TestPatchedTreeIsTheServices checks that the tree patched after each local change equals the
// tree that the service then returns, in the same order.
func TestPatchedTreeIsTheServices(t *testing.T) {
	r := start(t)
	c := r.open(t)
	require.NoError(t, c.Connect(ctx))
	s, err := c.Snapshot(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, r.proxy.Total())
	require.Equal(t, c.RootID(), s.Root().ID)

	names := []string{"Spring", "spring", "Äpfel", "äpfel", "Zebra", "a/b", "日本", "😀", "_", "ſ", "10", "9", "Z & <b>\"]]>"}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() remote.Node {
		nodes := listing(c.Peek())
		return nodes[random.IntN(len(nodes))]
	}
	done := map[string]int{}
	for range 300 {
		n := pick()
		what, err := "", error(nil)
		switch random.IntN(7) {
		case 0, 1:
			what = "create"
			kind := []remote.NodeKind{remote.CategoryNode, remote.PaperNode}[random.IntN(2)]
			_, err = c.Create(ctx, kind, n.ID, names[random.IntN(len(names))])
		case 2:
			what, err = "move", c.Move(ctx, n.ID, pick().ID, "")
		case 6:
			what, err = "rename", c.Move(ctx, n.ID, pick().ID, names[random.IntN(len(names))])
		case 3:
			what, err = "url", c.ChangeURL(ctx, n.ID, fmt.Sprint([]string{"u", "U", "v"}[random.IntN(3)], random.IntN(5)))
		case 4:
			from := time.Unix(random.Int64N(2e9), 0)
			what, err = "period", c.SetPeriod(ctx, n.ID, remote.Period{From: from, To: from.Add(time.Hour)})
		case 5:
			if random.IntN(3) == 0 {
				what, err = "delete", c.Delete(ctx, n.ID)
			}
		}
		if err == nil {
			done[what]++
		}
		patched := listing(c.Peek())
		requireServices(t, c, patched, "%s: %v", what, err)
	}
	for _, what := range []string{"create", "move", "rename", "url", "period", "delete"} {
		require.Greater(t, done[what], 3, what)
	}
}

func TestRemountNeedsNoNetwork(t *testing.T) {
	r := start(t)
	c := r.open(t)
	require.NoError(t, c.Connect(ctx))
	_, err := c.Snapshot(ctx)
	require.NoError(t, err)
	_, err = c.Create(ctx, remote.CategoryNode, c.RootID(), "Spring")
	require.NoError(t, err)
	before := listing(c.Peek())
	c.Close()

	r.proxy.Down()
	c = r.open(t)
	require.NoError(t, c.Connect(ctx))
	s, err := c.Snapshot(ctx)
	require.NoError(t, err)
	require.Equal(t, before, listing(s))
	r.proxy.Up()
	requireServices(t, c, before)
}

func TestWrongPasswordIsSaidInWords(t *testing.T) {
	r := start(t)
	c := r.open(t, func(o *remote.Options) { o.Password = "wrong" })
	err := c.Connect(ctx)
	var root *catalogue.RootError
	require.ErrorAs(t, err, &root)
	require.Contains(t, err.Error(), "user name or the password")
	require.False(t, strings.Contains(err.Error(), "wrong"), "the password itself")
	require.Zero(t, c.RootID())
}

// TestLostReplies checks that the tree still becomes the service's after a lost or late
// answer.
func TestLostReplies(t *testing.T) {
	r := start(t)
	c := r.open(t)
	require.NoError(t, c.Connect(ctx))
	_, err := c.Snapshot(ctx)
	require.NoError(t, err)
	root := c.RootID()
	r.proxy.Cut(remote.CreateCategory, 1, 0)
	a, err := c.Create(ctx, remote.CategoryNode, root, "A")
	require.NoError(t, err)
	b, err := c.Create(ctx, remote.CategoryNode, root, "B")
	require.NoError(t, err)
	r.proxy.Cut(remote.MovePaper, 1, 0)
	require.NoError(t, c.Move(ctx, b.ID, a.ID, ""))
	r.proxy.Cut(remote.RenamePaper, 1, 0)
	require.NoError(t, c.Move(ctx, b.ID, root, "b"))
	r.proxy.Cut(remote.RenamePaper, 2, 0)
	require.NoError(t, c.Move(ctx, b.ID, root, "C"), "the version told by a lost answer is not needed")
	n, _ := c.Peek().Node(b.ID)
	require.NotZero(t, n.Version)
	r.proxy.Cut(remote.DeletePaper, 1, 0)
	require.NoError(t, c.Delete(ctx, b.ID))
	requireServices(t, c, listing(c.Peek()))
}

// TestTreeThatBreaksOff checks that the catalogue requests an answer that breaks off after
// most of the tree again at once, and that nothing of the first answer stays.
func TestTreeThatBreaksOff(t *testing.T) {
	r := start(t)
	c := r.open(t)
	require.NoError(t, c.Connect(ctx))
	for i := range 60 {
		_, err := c.Create(ctx, remote.PaperNode, c.RootID(), fmt.Sprintf("Paper %03d of a tree that fills some buffers", i))
		require.NoError(t, err)
	}
	before := listing(c.Peek())
	r.proxy.Reset()
	r.proxy.Cut(remote.GetAllPapers, 2, 512)
	require.NoError(t, c.Refresh(ctx))
	require.Equal(t, 3, r.proxy.Count(remote.GetAllPapers))
	after := listing(c.Peek())
	requireServices(t, c, before)
	require.Equal(t, after, before)
}
