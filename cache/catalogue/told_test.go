package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/catalogue"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// listener is a catalogue that is told of what others change.
type listener struct {
	*catalogue.Catalogue
	t        *testing.T
	client   *remote.Client
	mark     string
	complete bool
}

func connect(t *testing.T, f *servicetest.Fixture) *remote.Client {
	client, err := remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func listen(t *testing.T, f *servicetest.Fixture, rootURL string) *listener {
	l := &listener{t: t, client: connect(t, f), complete: true}
	c, err := catalogue.New(catalogue.Options{Service: l.client, RootURL: rootURL})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	l.Catalogue = c
	l.mark = l.wait("").Next
	require.NoError(t, c.Connect(ctx))
	require.NoError(t, c.Refresh(ctx))
	return l
}

func (l *listener) wait(after string) remote.News {
	n, err := l.client.Wait(ctx, after, 0, l.client.Name())
	require.NoError(l.t, err)
	require.False(l.t, n.Lost)
	require.Empty(l.t, n.Trees)
	return n
}

// hear asks what is new, has something happen before it is taken in, and reports whether the tree could take it in.
func (l *listener) hear(meanwhile func()) bool {
	before := l.Peek()
	n := l.wait(l.mark)
	meanwhile()
	l.mark = n.Next
	var nodes []remote.Event
	for _, e := range n.Events {
		if e.Kind == "node" {
			nodes = append(nodes, e)
		}
	}
	return len(nodes) == 0 || l.Hear(before, nodes, l.complete)
}

func (l *listener) fetches() uint64 {
	return l.client.Stats().Operations[remote.GetAllPapers.Name].Requests
}

func nothing() {}

// colleague changes nodes at random.
type colleague struct {
	t      *testing.T
	client *remote.Client
	random *rand.Rand
	done   map[string]int
	taken  int
	keeps  int64 // is not deleted, and keeps its address
}

func (c *colleague) nodes() (nodes []remote.Node) {
	root, _, err := c.client.GetPaperIDFromUrl(ctx, "/")
	require.NoError(c.t, err)
	require.NoError(c.t, c.client.GetAllPapers(ctx, root, func(n remote.Node) error {
		nodes = append(nodes, n)
		return nil
	}))
	return nodes
}

func (c *colleague) change() {
	nodes := c.nodes()
	n, other := nodes[c.random.IntN(len(nodes))], nodes[c.random.IntN(len(nodes))]
	name := []string{"Spring", "spring", "Äpfel", "a/b", "日本", "_", "10", "9", "Z & <b>\"]]>"}[c.random.IntN(9)]
	c.taken++
	segment := fmt.Sprint("s", c.taken)
	what, err := "", error(nil)
	random := c.random.IntN(9)
	if n.ID == c.keeps && random > 3 {
		return
	}
	switch random {
	case 0:
		what = "category"
		_, err = c.client.CreateCategory(ctx, n, name, segment)
	case 1, 2:
		what = "paper"
		_, err = c.client.CreatePaper(ctx, n, name, segment)
	case 3:
		what, err = "move", c.client.MovePaper(ctx, n.ID, other.ID)
	case 4:
		what, err = "rename", c.client.RenamePaper(ctx, n.ID, name, []int64{0, other.ID}[c.random.IntN(2)])
	case 5:
		what, err = "url", c.client.ChangePaperUrl(ctx, n.ID, segment)
	case 6:
		from := time.Unix(c.random.Int64N(2e9), 0)
		what, err = "period", c.client.SetPublicationPeriod(ctx, n.ID, remote.Period{From: from, To: from.Add(time.Hour)})
	case 7:
		what, err = "delete", c.client.DeletePaper(ctx, n.ID)
	case 8:
		var kept []remote.Entry
		if kept, err = c.client.GetDeleted(ctx, remote.Place{}, time.Time{}, 100); err == nil && len(kept) > 0 {
			what = "restore"
			_, err = c.client.Restore(ctx, kept[c.random.IntN(len(kept))].Entry, "")
		}
	}
	if err == nil {
		c.done[what]++
	}
}

// TestATreeThatIsToldIsTheServices compares, after random changes by a colleague, trees that were only told of them
// with fetched ones: that of all, and that of a category, which nodes enter and leave.
func TestATreeThatIsToldIsTheServices(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	c := &colleague{t: t, client: connect(t, f), random: rand.New(rand.NewPCG(4, 2)), done: map[string]int{}}
	var err error
	c.keeps, err = c.client.CreateCategory(ctx, c.nodes()[0], "Sub", "sub")
	require.NoError(t, err)
	whole, part, fresh := listen(t, f, ""), listen(t, f, "/sub/"), listen(t, f, "")
	fetched := whole.fetches()
	alone, told := 0, 0
	for range 40 {
		for range 1 + c.random.IntN(6) {
			c.change()
		}
		require.True(t, whole.hear(nothing), c.done)
		require.NoError(t, fresh.Refresh(ctx))
		want := listing(fresh.Peek())
		require.Equal(t, want, listing(whole.Peek()), c.done)
		require.Equal(t, len(want), whole.Peek().Len())
		for _, n := range want {
			there, ok := whole.Peek().ByURL(n.URL)
			require.True(t, ok, n.URL)
			require.Equal(t, n.ID, there.ID)
		}
		if alone++; part.hear(nothing) {
			told++
		} else {
			require.NoError(t, part.Refresh(ctx))
		}
		var below []remote.Node
		fresh.Peek().Walk(c.keeps, func(n remote.Node) bool {
			below = append(below, n)
			return true
		})
		below[0].Parent = 0
		require.Equal(t, below, listing(part.Peek()), c.done)
	}
	require.Equal(t, fetched, whole.fetches())
	require.Greater(t, told, alone/2)
	for _, what := range []string{"category", "paper", "move", "rename", "url", "period", "delete", "restore"} {
		require.Positive(t, c.done[what], what)
	}
}

// TestWhatIsNewerThanWhatIsToldStays checks that a tree takes in nothing if it may be older than what the mount has done
// or fetched itself since it asked.
func TestWhatIsNewerThanWhatIsToldStays(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	l, other := listen(t, f, ""), connect(t, f)
	root := l.Peek().Root()
	paper, err := other.CreatePaper(ctx, root, "old", "old")
	require.NoError(t, err)
	require.True(t, l.hear(nothing))

	require.NoError(t, other.RenamePaper(ctx, paper, "theirs", 0))
	require.False(t, l.hear(func() { require.NoError(t, l.ChangeURL(ctx, paper, "mine")) }), "our own change")
	n, _ := l.Peek().Node(paper)
	require.Equal(t, "/mine/", n.URL)
	require.NoError(t, l.Refresh(ctx))

	require.NoError(t, other.RenamePaper(ctx, paper, "theirs 2", 0))
	require.False(t, l.hear(func() {
		require.NoError(t, other.RenamePaper(ctx, paper, "theirs 3", 0))
		require.NoError(t, l.Refresh(ctx))
	}), "a fetch")
	n, _ = l.Peek().Node(paper)
	require.Equal(t, "theirs 3", n.Name)

	require.True(t, l.hear(nothing))
	l.complete = false
	category, err := other.CreateCategory(ctx, root, "c", "c")
	require.NoError(t, err)
	require.True(t, l.hear(nothing))
	l.mark = l.wait("").Next
	require.NoError(t, other.DeletePaper(ctx, category))
	category, err = other.CreateCategory(ctx, root, "d", "d")
	require.NoError(t, err)
	l.mark = l.wait("").Next
	_, err = other.CreatePaper(ctx, remote.Node{ID: category, URL: "/d/"}, "p", "p")
	require.NoError(t, err)
	require.False(t, l.hear(nothing), "a tree without the category, of which it was not told")
}

// TestNothingStaysBelowWhatIsToldAsGone checks that a tree takes in no removal of a category that still has papers there.
func TestNothingStaysBelowWhatIsToldAsGone(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	l, other := listen(t, f, ""), connect(t, f)
	category, err := other.CreateCategory(ctx, l.Peek().Root(), "c", "c")
	require.NoError(t, err)
	paper, err := other.CreatePaper(ctx, remote.Node{ID: category, URL: "/c/"}, "p", "p")
	require.NoError(t, err)
	require.True(t, l.hear(nothing))
	gone := func(ids ...int64) bool {
		var nodes []remote.Event
		for _, id := range ids {
			nodes = append(nodes, remote.Event{Kind: "node", ID: id, Gone: true})
		}
		return l.Hear(l.Peek(), nodes, true)
	}
	require.False(t, gone(category))
	_, known := l.Peek().Node(paper)
	require.True(t, known)
	require.True(t, gone(category, paper))
	_, known = l.Peek().Node(paper)
	require.False(t, known)
}
