package media

import (
	"fmt"
	"io"
	rand "math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/tree"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
)

// listener is a store that is told of what others change.
type listener struct {
	*fixture
	client *remote.Client
	mark   string
}

func connect(t *testing.T, s *servicetest.Fixture) *remote.Client {
	client, err := remote.New(remote.Options{BaseURL: s.URL, Username: s.Username, Password: s.Password})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func listen(t *testing.T, s *servicetest.Fixture) *listener {
	l := &listener{client: connect(t, s)}
	l.fixture = newFixture(t, func(o *Options) { o.Service = l.client })
	l.mark = l.wait("").Next
	require.NoError(t, l.store.Refresh(ctx))
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
	since := l.store.Moment()
	n := l.wait(l.mark)
	meanwhile()
	l.mark = n.Next
	var lines []remote.Event
	for _, e := range n.Events {
		if e.Kind == "file" || e.Kind == "directory" {
			lines = append(lines, e)
		}
	}
	return len(lines) == 0 || l.store.Hear(since, lines)
}

// shown returns what the store shows, as GetTree tells it.
func (l *listener) shown() (all []string) {
	l.store.Mu.RLock()
	defer l.store.Mu.RUnlock()
	var walk func(dir *tree.Node)
	walk = func(dir *tree.Node) {
		for _, n := range dir.Children {
			if n.Kind == Directory {
				all = append(all, fmt.Sprint("directory ", n.ID, n.Path(), n.Mark))
				walk(n)
				continue
			}
			all = append(all, fmt.Sprint("file ", n.Pub.ID, n.Path(), n.Pub.Size, n.Pub.KB, n.Pub.SHA256, n.Pub.Mark, " ", n.Pub.URL))
		}
	}
	walk(l.store.Root)
	return all
}

func nothing() {}

// bytesOf is content to send.
type bytesOf string

func (b bytesOf) Size() int64 { return int64(len(b)) }
func (b bytesOf) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}

// colleague changes the media store at random.
type colleague struct {
	t      *testing.T
	client *remote.Client
	random *rand.Rand
	done   map[string]int
}

func (c *colleague) pick(dirs []remote.MediaDir) int64 {
	return dirs[c.random.IntN(len(dirs))].ID
}

func (c *colleague) change() {
	t, err := c.client.GetTree(ctx)
	require.NoError(c.t, err)
	dirs := append([]remote.MediaDir{{}}, t.Dirs...)
	name := fmt.Sprint("name ", c.random.IntN(6))
	dir, to := c.pick(dirs), c.pick(dirs)
	var file remote.MediaFile
	if len(t.Files) > 0 {
		file = t.Files[c.random.IntN(len(t.Files))]
	}
	what := ""
	switch c.random.IntN(9) {
	case 0:
		what = "mkdir"
		_, err = c.client.CreateDirectory(ctx, dir, name)
	case 1, 2:
		what = "upload"
		_, err = c.client.UploadFile(ctx, dir, name, bytesOf(fmt.Sprint(c.random.IntN(1000))))
	case 3:
		what = "overwrite"
		_, err = c.client.UploadFile(ctx, file.Parent, file.Name, bytesOf(fmt.Sprint(c.random.IntN(1000))))
	case 4:
		what = "move"
		_, err = c.client.MoveFile(ctx, file.ID, to, name, []remote.Version{0, remote.NoFile}[c.random.IntN(2)])
	case 5:
		what, err = "move of a directory", c.client.MoveDirectory(ctx, dir, to, name, c.random.IntN(2) == 0)
	case 6:
		what, err = "delete", c.client.DeleteFile(ctx, file.ID)
	case 7:
		what, err = "rmdir", c.client.DeleteDirectory(ctx, dir)
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

// exchange gives two files each other's names, and two directories.
func (c *colleague) exchange() {
	a, err := c.client.CreateDirectory(ctx, 0, "a")
	require.NoError(c.t, err)
	b, err := c.client.CreateDirectory(ctx, a, "b")
	require.NoError(c.t, err)
	one, err := c.client.UploadFile(ctx, a, "one", bytesOf("1"))
	require.NoError(c.t, err)
	two, err := c.client.UploadFile(ctx, b, "two", bytesOf("2"))
	require.NoError(c.t, err)
	c.exchanged(a, b, one.FileID, two.FileID)
}

func (c *colleague) exchanged(a, b, one, two int64) {
	move := func(id, parent int64, name string) {
		_, err := c.client.MoveFile(ctx, id, parent, name, remote.NoFile)
		require.NoError(c.t, err)
	}
	move(one, 0, "between")
	move(two, a, "one")
	move(one, b, "two")
	require.NoError(c.t, c.client.MoveDirectory(ctx, b, 0, "b", false))
	require.NoError(c.t, c.client.MoveDirectory(ctx, a, b, "a", false))
}

// TestATreeThatIsToldIsTheServices compares, after random changes by a colleague, a tree that was only told of them with
// one that was fetched.
func TestATreeThatIsToldIsTheServices(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	c := &colleague{t: t, client: connect(t, s), random: rand.New(rand.NewPCG(4, 2)), done: map[string]int{}}
	told, fresh := listen(t, s), listen(t, s)
	fetched := told.client.Stats().Operations[remote.GetTree.Name].Requests
	same := func() {
		t.Helper()
		require.True(t, told.hear(nothing), c.done)
		require.NoError(t, fresh.store.Refresh(ctx))
		require.ElementsMatch(t, fresh.shown(), told.shown(), c.done)
	}
	for range 25 {
		for range 1 + c.random.IntN(6) {
			c.change()
		}
		same()
	}
	c.exchange()
	same()
	require.Equal(t, fetched, told.client.Stats().Operations[remote.GetTree.Name].Requests)
	for _, what := range []string{"mkdir", "upload", "overwrite", "move", "move of a directory", "delete", "rmdir", "restore"} {
		require.Positive(t, c.done[what], what)
	}
}

// TestWhatIsNewerThanWhatIsToldStays checks that a tree that may be newer than what is told is fetched.
func TestWhatIsNewerThanWhatIsToldStays(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	l, other := listen(t, s), connect(t, s)
	file, err := other.UploadFile(ctx, 0, "f", bytesOf("old"))
	require.NoError(t, err)
	require.True(t, l.hear(nothing))

	_, err = other.MoveFile(ctx, file.FileID, 0, "theirs", 0)
	require.NoError(t, err)
	require.False(t, l.hear(func() {
		_, err := other.MoveFile(ctx, file.FileID, 0, "theirs 2", 0)
		require.NoError(t, err)
		require.NoError(t, l.store.Refresh(ctx))
	}), "a fetch")
	require.Equal(t, []string{"theirs 2"}, shownNames(t, l.fixture, Root))
	require.True(t, l.hear(nothing))

	_, err = other.MoveFile(ctx, file.FileID, 0, "theirs 3", 0)
	require.NoError(t, err)
	require.NoError(t, l.store.Refresh(ctx))
	require.False(t, l.hear(func() { require.NoError(t, l.rename(Root, "theirs 3", Root, "mine")) }), "our own change")
	require.Equal(t, []string{"mine"}, shownNames(t, l.fixture, Root))

	require.NoError(t, l.overwrite(l.lookup(Root, "mine").Ino, "elsewhere"))
	dir, err := other.CreateDirectory(ctx, 0, "d")
	require.NoError(t, err)
	require.True(t, l.hear(nothing), "our own change was of something else")
	require.NoError(t, other.DeleteDirectory(ctx, dir))
	require.True(t, l.hear(nothing))
	require.Equal(t, []string{"mine"}, shownNames(t, l.fixture, Root))
}
