package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/cache/content/inode"
	"paperfs/cache/content/localname"
	"paperfs/cache/content/refusal"
	"paperfs/cache/content/tree"
)

// library is a tree with one node of each kind that renames tell apart.
type library struct {
	root *tree.Node
	last inode.Ino
}

func newLibrary() *library {
	l := &library{last: inode.Root, root: tree.NewNode(inode.Root, inode.Directory)}
	l.add(l.root, "dir", inode.Directory).ID = 5
	l.add(l.root, "other", inode.Directory).ID = 6
	l.add(l.root, "unmade", inode.Directory) // queued, not at the service yet
	l.hide(l.add(l.root, ".scratch", inode.Directory))
	for _, dir := range []*tree.Node{l.root, l.at("dir")} {
		l.add(dir, "file", inode.File).Pub.ID = 7
		l.add(dir, "new", inode.File)
	}
	for name, kind := range map[string]inode.FileKind{".draft": inode.File, ".link": inode.Symlink, ".folder": inode.Directory} {
		l.hide(l.add(l.root, name, kind))
	}
	l.hide(l.add(l.at(".folder"), "page", inode.File))
	return l
}

func (l *library) add(dir *tree.Node, name string, kind inode.FileKind) *tree.Node {
	l.last++
	n := tree.NewNode(l.last, kind)
	dir.Attach(name, n)
	return n
}

func (l *library) hide(n *tree.Node) { n.On(tree.Hidden) }

// at returns the node at a path; "" is the root.
func (l *library) at(path string) *tree.Node {
	n := l.root
	for name := range strings.SplitSeq(path, "/") {
		if name != "" {
			n = n.Children[name]
		}
	}
	return n
}

// way plans the rename of a path to a path.
func (l *library) way(from, to string, r Rules) (*Rename, Way, error) {
	cut := strings.LastIndex(to, "/")
	src := l.at(from)
	m := &Rename{Name: to[cut+1:], Src: src, Dir: l.at(to[:max(cut, 0)]), From: tree.Link{Dir: src.Parent, Name: src.Name}}
	r.Root = l.root
	way, err := m.Way(r)
	return m, way, err
}

// TestWaysOfRenames checks what each rename requires of the service.
func TestWaysOfRenames(t *testing.T) {
	deleting, moves := Rules{AllowDelete: true}, Rules{Moves: true}
	for _, c := range []struct {
		from, to string
		rules    Rules
		way      Way
		local    bool
	}{
		{"file", "file", Rules{}, Nothing, false},
		{"new", "newer", Rules{}, InTree, false},
		{"new", "dir/new2", Rules{}, InTree, false},
		{".draft", ".draft2", Rules{}, InTree, true},
		{".draft", "page", Rules{}, Send, false},
		{".draft", "file", Rules{}, Send, false},
		{".draft", "page", Rules{WriteBack: true}, Queue, false},
		{".draft", "unmade/page", Rules{}, Queue, false},
		{"file", "moved", moves, Move, false},
		{"file", "dir/file", moves, Move, false},
		{"file", "new", moves, Move, false},
		{"file", "FILE", moves, Move, false},
		{"new", "NEW", moves, InTree, false},
		{"file", "moved", Rules{Moves: true, NoTree: true}, Move, false},
		{"file", ".hidden", Rules{Moves: true, AllowDelete: true}, Unpublish, true},
		{"dir", "renamed", moves, MoveDir, false},
		{"dir", "DIR", moves, MoveDir, false},
		{"dir", "other/dir", moves, MoveDir, false},
		{"dir", "other", moves, MoveDir, false},
		{"dir", "unmade/dir", moves, MoveDir, false},
		{"file", ".hidden", deleting, Unpublish, true},
		{"file", ".scratch/file", deleting, Unpublish, true},
		{"unmade", "made", Rules{}, InTree, false},
		{".folder", ".folder2", Rules{}, InTree, true},
		{".folder", "folder", Rules{}, PublishTree, false},
		{".link", ".link2", Rules{}, InTree, true},
		{"unmade", ".unmade", Rules{}, InTree, true},
	} {
		m, way, err := newLibrary().way(c.from, c.to, c.rules)
		require.NoError(t, err, "%s to %s", c.from, c.to)
		require.Equal(t, c.way, way, "%s to %s", c.from, c.to)
		if way != Nothing {
			require.Equal(t, c.local, m.Local, "%s to %s", c.from, c.to)
		}
	}
}

// TestAPublishedNameStaysPublished checks that a scratch file that takes the name of a published file
// is sent, although the name looks temporary.
func TestAPublishedNameStaysPublished(t *testing.T) {
	l := newLibrary()
	l.add(l.root, "old~", inode.File).Pub.ID = 9
	m, way, err := l.way(".draft", "old~", Rules{})
	require.NoError(t, err)
	require.Equal(t, Send, way)
	require.False(t, m.Local)
}

// TestRenamesThatAreRefused checks that nothing is renamed that the service cannot do, or that
// would delete there without leave.
func TestRenamesThatAreRefused(t *testing.T) {
	deleting, moves := Rules{AllowDelete: true}, Rules{Moves: true}
	for _, c := range []struct {
		from, to string
		rules    Rules
		kind     refusal.Kind
	}{
		{"file", "moved", Rules{}, refusal.Unsupported},
		{"file", ".hidden", Rules{}, refusal.Unsupported},
		{"file", "moved", Rules{AllowDelete: true, NoTree: true}, refusal.Unsupported},
		{"file", "moved", deleting, refusal.OtherDevice},
		{"file", "dir/moved", deleting, refusal.OtherDevice},
		{"file", "dir/file", deleting, refusal.Unsupported},
		{"file", "new", deleting, refusal.Unsupported},
		{"file", "unmade/moved", deleting, refusal.Unsupported},
		{"file", "moved", Rules{AllowDelete: true, WriteBack: true}, refusal.Unsupported},
		{"file", ".hidden", moves, refusal.Unsupported},
		{"dir", ".dir", Rules{Moves: true, AllowDelete: true}, refusal.Unsupported},
		{"dir", "dir/below", moves, refusal.Invalid},
		{"other", "dir", moves, refusal.NotEmpty},
		{"file", "other", moves, refusal.IsDirectory},
		{"other", "file", moves, refusal.NotDirectory},
		{"other", "DIR", moves, refusal.Exists},
		{"file", "FILE", deleting, refusal.Unsupported},
		{"dir", "renamed", deleting, refusal.Unsupported},
		{"dir", "other/dir", deleting, refusal.Unsupported},
		{"unmade", "other", deleting, refusal.Unsupported},
		{"dir", "dir/below", deleting, refusal.Invalid},
		{".folder", ".folder/below", deleting, refusal.Invalid},
		{".draft", "dir", Rules{}, refusal.IsDirectory},
		{".folder", "file", Rules{}, refusal.NotDirectory},
		{"unmade", "dir", deleting, refusal.NotEmpty},
		{".link", "link", Rules{}, refusal.LocalOnly},
		{".draft", "New", Rules{}, refusal.Exists},
		{".draft", strings.Repeat("x", 256), Rules{}, refusal.TooLong},
	} {
		_, way, err := newLibrary().way(c.from, c.to, c.rules)
		require.True(t, refusal.Is(err, c.kind), "%s to %s: %v", c.from, c.to, err)
		require.Equal(t, Nothing, way)
	}
	l := newLibrary()
	m := &Rename{Name: "new", NoReplace: true, Src: l.at(".draft"), Dir: l.root, From: tree.Link{Dir: l.root, Name: ".draft"}}
	_, err := m.Way(Rules{Root: l.root})
	require.True(t, refusal.Is(err, refusal.Exists), "%v", err)
	gone := l.at("dir")
	gone.Detach()
	m = &Rename{Name: "x", Src: l.at(".draft"), Dir: gone, From: tree.Link{Dir: l.root, Name: ".draft"}}
	_, err = m.Way(Rules{Root: l.root})
	require.True(t, refusal.Is(err, refusal.NotFound), "%v", err)
}

// TestWhatBecomesVisibleWithADirectory checks that a scratch directory is published parents first,
// without names that are always scratch, and not at all with an entry that the service cannot have.
func TestWhatBecomesVisibleWithADirectory(t *testing.T) {
	l := newLibrary()
	folder := l.at(".folder")
	for _, path := range []string{"b", "b/c", "b/.cache"} {
		cut := strings.LastIndex(path, "/")
		l.hide(l.add(l.at(".folder/"+path[:max(cut, 0)]), path[cut+1:], inode.Directory))
	}
	list, err := Visible(localname.Names{}, folder)
	require.NoError(t, err)
	var paths []string
	for _, n := range list {
		paths = append(paths, n.Path())
	}
	require.Equal(t, []string{".folder/b", ".folder/b/c", ".folder/page"}, paths)
	for name, spoil := range map[string]func(){
		"a link":     func() { l.hide(l.add(l.at(".folder/b/c"), "link", inode.Symlink)) },
		"two names":  func() { l.at(".folder/b").Attach("second", l.at(".folder/page")) },
		"a case":     func() { l.hide(l.add(l.at(".folder"), "PAGE", inode.File)) },
		"a bad name": func() { l.hide(l.add(l.at(".folder/b"), "a\x01b", inode.File)) },
	} {
		l = newLibrary()
		l.hide(l.add(l.at(".folder"), "b", inode.Directory))
		l.hide(l.add(l.at(".folder/b"), "c", inode.Directory))
		spoil()
		_, _, err := l.way(".folder", "visible", Rules{})
		require.Error(t, err, name)
		require.Contains(t, err.Error(), ".folder/", name)
	}
}
