package catalogue

import (
	"crypto/sha256"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/rules"
)

var epoch = time.Unix(1_800_000_000, 0)

type fataler interface {
	require.TestingT
	Helper()
}

func requireSame(t fataler, m *model, s *Snapshot) {
	t.Helper()
	require.NoError(t, s.check())
	require.Equal(t, len(m.nodes), s.Len())
	for id, n := range m.nodes {
		got, ok := s.Node(id)
		require.True(t, ok, "%+v", n)
		require.Equal(t, n, got)
		require.Equal(t, m.children(id), s.Children(id))
		at, ok := s.ByURL(swapCase(n.URL))
		require.True(t, ok, n.URL)
		require.Equal(t, n, at)
	}
	_, ok := s.Node(m.next + 1)
	require.False(t, ok)
	_, ok = s.ByURL(m.nodes[m.root].URL + "no-such/")
	require.False(t, ok)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

func TestSnapshotIsTheTreeThatWasFetched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genModel().Draw(t, "tree")
		requireSame(t, m, m.snapshot(nil, epoch))
	})
}

func TestChangesAreWhatTheServiceDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genModel().Draw(t, "tree")
		s := m.snapshot(nil, epoch)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			untouched := m.snapshot(nil, epoch)
			ch := m.step(t, epoch)
			next, d := ch(s)
			requireSame(t, m, next)
			require.Equal(t, diff(s, next), normal(d))
			require.Empty(t, diff(untouched, s), "the old snapshot changed")
			again, d := ch(next)
			require.True(t, d.Empty(), "applying a change twice has a second effect")
			require.Same(t, next, again)
			s = next
			if rapid.IntRange(0, 3).Draw(t, "compact") == 0 {
				s = s.compact()
				requireSame(t, m, s)
				require.Empty(t, diff(next, s))
			}
		}
		fetched := m.snapshot(s, epoch)
		requireSame(t, m, fetched)
		require.Empty(t, diff(s, fetched))
	})
}

// normal replaces empty lists by nil, as diff does.
func normal(d Diff) Diff {
	for _, ids := range []*[]int64{&d.Dirs, &d.Nodes, &d.Moved, &d.Added} {
		if len(*ids) == 0 {
			*ids = nil
		}
	}
	return d
}

// TestDiffTellsAllThatDiffers checks that applying the diffs to an old tree yields the new
// tree.
func TestDiffTellsAllThatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genModel().Draw(t, "tree")
		old := m.snapshot(nil, epoch)
		held, listed := map[int64]remote.Node{}, map[int64][]string{}
		list := func(s *Snapshot, id int64) {
			listed[id] = nil
			for _, n := range s.Children(id) {
				listed[id] = append(listed[id], n.Name)
			}
		}
		old.Walk(m.root, func(n remote.Node) bool {
			held[n.ID] = n
			list(old, n.ID)
			return true
		})
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			m.step(t, epoch)
		}
		new := m.snapshot(old, epoch)
		requireSame(t, m, new)
		requireSame(t, m, m.snapshot(new.compact(), epoch))
		d := diff(old, new)
		for _, n := range d.Gone {
			require.Equal(t, held[n.ID], n)
			delete(held, n.ID)
			delete(listed, n.ID)
		}
		for _, id := range slices.Concat(d.Nodes, d.Added) {
			held[id], _ = new.Node(id)
		}
		for _, id := range slices.Concat(d.Dirs, d.Added) {
			list(new, id)
			for _, n := range new.Children(id) {
				kept := held[n.ID]
				kept.Parent = id
				held[n.ID] = kept
			}
		}
		require.Equal(t, m.nodes, held)
		for id := range m.nodes {
			names := []string(nil)
			for _, n := range m.children(id) {
				names = append(names, n.Name)
			}
			require.Equal(t, names, listed[id])
		}
		require.True(t, diff(new, m.snapshot(nil, epoch)).Empty())
	})
}

func TestNodeThatBecameAnotherKindIsAnotherNode(t *testing.T) {
	m := &model{root: 1, next: 4, nodes: map[int64]remote.Node{
		1: {ID: 1, Kind: remote.CategoryNode, URL: "/"},
		2: {ID: 2, Parent: 1, Kind: remote.CategoryNode, Name: "a", URL: "/a/"},
	}}
	old := m.snapshot(nil, epoch)
	m.nodes[2] = remote.Node{ID: 2, Parent: 1, Kind: remote.PaperNode, Name: "a", URL: "/a/"}
	d := diff(old, m.snapshot(nil, epoch))
	require.Equal(t, []int64{1}, d.Dirs)
	require.Equal(t, []int64{2}, d.Added)
	require.Len(t, d.Gone, 1)
}

func TestAddressesThatDoNotFollowTheParents(t *testing.T) {
	m := &model{root: 1, next: 9, nodes: map[int64]remote.Node{
		1: {ID: 1, Kind: remote.CategoryNode, URL: "/acme/"},
		2: {ID: 2, Parent: 1, Kind: remote.CategoryNode, Name: "a", URL: "/elsewhere/A/"},
		3: {ID: 3, Parent: 2, Kind: remote.PaperNode, Name: "b", URL: "/elsewhere/A/b/"},
		4: {ID: 4, Parent: 2, Kind: remote.PaperNode, Name: "c", URL: "/c/d/"},
		5: {ID: 5, Parent: 1, Kind: remote.CategoryNode, Name: "e", URL: "/acme/e/"},
	}}
	s := m.snapshot(nil, epoch)
	requireSame(t, m, s)

	s, d := readdressed(2, "z")(s)
	m.readdress(2, "/elsewhere/z/")
	n := m.nodes[4]
	n.URL = "/c/d/"
	m.nodes[4] = n
	requireSame(t, m, s)
	require.Equal(t, []int64{2, 3}, d.Nodes)
	_, ok := s.ByURL("/elsewhere/A/")
	require.False(t, ok)

	s, _ = moved(2, 5, "", 0)(s)
	m.move(2, 5)
	m.nodes[4] = n
	requireSame(t, m, s)
	s, _ = moved(4, 5, "", 0)(s)
	m.move(4, 5)
	requireSame(t, m, s)
}

// TestAddressesOfAnyForm checks that the tree keeps any address that a service assigns to a
// node, and that no change to the tree breaks it.
func TestAddressesOfAnyForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "/", "//", "x", "/x", "x/", "/x/", "/x//y/", "/x/y/"}))
		m := genModel().Draw(t, "tree")
		for id, n := range m.nodes {
			if rapid.IntRange(0, 2).Draw(t, "alter") == 0 {
				n.URL = address.Draw(t, "address")
				m.nodes[id] = n
			}
		}
		s := m.snapshot(nil, epoch)
		for id, n := range m.nodes {
			got, ok := s.Node(id)
			require.True(t, ok)
			require.Equal(t, n, got)
			require.Equal(t, m.children(id), s.Children(id))
			_, _ = s.ByURL(n.URL)
		}
		for range 5 {
			next, d := m.step(t, epoch)(s)
			require.NoError(t, next.checkOverlay())
			require.Equal(t, diff(s, next), normal(d))
			s = next
		}
	})
}

func TestTreesThatCannotBe(t *testing.T) {
	root := remote.Node{ID: 1, Kind: remote.CategoryNode, URL: "/"}
	paper := remote.Node{ID: 2, Parent: 1, Kind: remote.PaperNode, URL: "/p/"}
	for name, nodes := range map[string][]remote.Node{
		"empty":            {},
		"root is a paper":  {{ID: 1, Kind: remote.PaperNode, URL: "/"}},
		"no kind":          {{ID: 1, URL: "/"}},
		"no id":            {{Kind: remote.CategoryNode, URL: "/"}},
		"negative id":      {root, {ID: -4, Parent: 1, Kind: remote.PaperNode}},
		"below a paper":    {root, paper, {ID: 3, Parent: 2, Kind: remote.PaperNode}},
		"below a stranger": {root, {ID: 3, Parent: 77, Kind: remote.PaperNode}},
		"two roots":        {root, {ID: 3, Kind: remote.CategoryNode}},
		"its own parent":   {root, {ID: 3, Parent: 3, Kind: remote.CategoryNode}},
		"not in document order": {root, {ID: 3, Parent: 1, Kind: remote.CategoryNode}, {ID: 4, Parent: 1, Kind: remote.CategoryNode},
			{ID: 5, Parent: 3, Kind: remote.PaperNode}},
	} {
		b := newBuilder(nil, epoch)
		var err error
		for _, n := range nodes {
			if err = b.add(n); err != nil {
				break
			}
		}
		if err == nil {
			_, err = b.finish()
		}
		var failure *remote.Error
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, remote.Broken, failure.Kind)
	}
}

func TestSeenIsKeptFromSnapshotToSnapshot(t *testing.T) {
	m := &model{root: 1, next: 9, nodes: map[int64]remote.Node{
		1: {ID: 1, Kind: remote.CategoryNode, URL: "/"},
		2: {ID: 2, Parent: 1, Kind: remote.PaperNode, Name: "a", URL: "/a/"},
	}}
	old := m.snapshot(nil, epoch)
	m.nodes[3] = remote.Node{ID: 3, Parent: 1, Kind: remote.PaperNode, Name: "b", URL: "/b/"}
	later := epoch.Add(time.Hour)
	new := m.snapshot(old, later)
	require.True(t, new.Seen(2).Equal(epoch))
	require.True(t, new.Seen(3).Equal(later))
	require.True(t, new.Seen(4).IsZero())
	new, _ = moved(2, 1, "", 0)(new)
	require.True(t, new.Seen(2).Equal(epoch))
}

func TestManyChangesDoNotPileUp(t *testing.T) {
	m := &model{root: 1, next: 2, nodes: map[int64]remote.Node{1: {ID: 1, Kind: remote.CategoryNode, URL: "/"}}}
	s := m.snapshot(nil, epoch)
	for id := int64(2); id < 2000; id++ {
		n := remote.Node{ID: id, Parent: 1, Kind: remote.PaperNode, Name: "p", URL: "/p" + string(rune('A'+id%26)) + "/"}
		s, _ = created(n, epoch)(s)
		require.LessOrEqual(t, len(s.overlay.items), 600)
	}
	require.Equal(t, 1999, s.Len())
	require.EqualValues(t, 1999, s.Version())
	require.Len(t, s.Children(1), 1998)
}

func TestSavedCatalogueIsTheSame(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := genModel().Draw(t, "tree")
		s := m.snapshot(nil, epoch)
		s, _ = m.step(t, epoch.Add(time.Minute))(s)
		path, of := filepath.Join(dir, "saved"), origin{rootURL: "/x/"}
		require.NoError(t, save(path, of, s))
		back, err := load(path, of)
		require.NoError(t, err)
		requireSame(t, m, back)
		require.True(t, s.Fetched().Equal(back.Fetched()))
		for id := range m.nodes {
			require.Equal(t, s.Seen(id), back.Seen(id))
		}
		_, err = load(path, origin{rootURL: "/y/"})
		require.Error(t, err)
		_, err = load(path, origin{rootURL: "/x/", rootID: 5})
		require.Error(t, err)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1, "a temporary file is left")
	})
}

func TestDamagedSavedCatalogueIsRefused(t *testing.T) {
	path, of := filepath.Join(t.TempDir(), "saved"), origin{rootURL: "/"}
	require.NoError(t, save(path, of, bigTree(8).snapshot(nil, epoch)))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := range len(whole) {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		_, err := load(path, of)
		require.Error(t, err, "cut at %d", cut)
		flipped := slices.Clone(whole)
		flipped[cut] ^= 1 << rand.IntN(8)
		require.NoError(t, os.WriteFile(path, flipped, 0o600))
		_, err = load(path, of)
		require.Error(t, err, "flipped at %d", cut)
	}
	require.NoError(t, os.WriteFile(path, append(slices.Clone(whole), 0), 0o600))
	_, err = load(path, of)
	require.Error(t, err)
}

// FuzzReadSnapshot checks that reading a saved catalogue with a valid checksum never panics,
// although only this program writes such a file.
func FuzzReadSnapshot(f *testing.F) {
	path, of := filepath.Join(f.TempDir(), "saved"), origin{rootURL: "/"}
	require.NoError(f, save(path, of, bigTree(3).snapshot(nil, epoch)))
	whole, err := os.ReadFile(path)
	require.NoError(f, err)
	f.Add(whole[:len(whole)-sha256.Size])
	f.Fuzz(func(t *testing.T, content []byte) {
		sum := sha256.Sum256(content)
		path := filepath.Join(t.TempDir(), "saved")
		require.NoError(t, os.WriteFile(path, slices.Concat(content, sum[:]), 0o600))
		s, err := load(path, of)
		if err == nil {
			count := 0
			s.Walk(s.Root().ID, func(remote.Node) bool { count++; return true })
			require.Equal(t, s.Len(), count)
		}
	})
}

// bigTree returns a tree of n papers in n/100 categories, two levels deep.
func bigTree(n int) *model {
	m := &model{root: 1, next: 2, nodes: map[int64]remote.Node{1: {ID: 1, Kind: remote.CategoryNode, URL: "/"}}}
	put := func(parent int64, kind remote.NodeKind, name string) int64 {
		id := m.next
		m.next++
		m.nodes[id] = remote.Node{ID: id, Parent: parent, Kind: kind, Name: name, URL: m.nodes[parent].URL + strings.ToLower(name) + "/"}
		return id
	}
	category := int64(0)
	for i := range n {
		if i%100 == 0 {
			category = put(1, remote.CategoryNode, "Category-"+itoa(i))
		}
		put(category, remote.PaperNode, "Paper-of-the-spring-"+itoa(i))
	}
	return m
}

func TestFoldIsWhatEqualFoldCompares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom(awkward), rapid.StringOf(rapid.SampledFrom([]rune("aAkK\u212asS\u017fßẞéÉ\ufffd"))))
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		require.Equal(t, strings.EqualFold(a, b), rules.Fold(a) == rules.Fold(b))
		require.Equal(t, strings.EqualFold(a, b), rules.CompareFolded(a, b) == 0)
		require.Equal(t, rules.CompareFolded(a, b), -rules.CompareFolded(b, a))
		require.Equal(t, rules.Fold(a), rules.Fold(rules.Fold(a)))
	})
}

// TestRecordsThatCannotBeShownAreLeftOut checks that one record that cannot be shown does not
// hide others.
func TestRecordsThatCannotBeShownAreLeftOut(t *testing.T) {
	category := func(id, parent int64, name string) remote.Node {
		return remote.Node{ID: id, Parent: parent, Kind: remote.CategoryNode, Name: name, URL: "/" + name + "/"}
	}
	b := newBuilder(nil, epoch)
	b.rootURL = "/"
	for _, n := range []remote.Node{
		{ID: 1, Kind: remote.CategoryNode, Odd: "no address"}, category(2, 1, "a"), category(3, 2, "b"),
		category(4, 1, strings.Repeat("x", 1<<16)), category(5, 4, "below"),
		{Parent: 1, Odd: "no id"},
		category(2, 1, "twin"), category(6, 2, "below the twin"), category(7, 1, "last"),
	} {
		require.NoError(t, b.add(n))
	}
	base, err := b.finish()
	require.NoError(t, err)
	s := newSnapshot(base, epoch)
	var names []string
	s.Walk(1, func(n remote.Node) bool { names = append(names, n.Name); return true })
	require.Equal(t, []string{"", "a", "b", "last"}, names)
	require.Equal(t, "/", s.Root().URL)
	require.Len(t, b.odd, 4)
	require.NoError(t, s.checkOverlay())
}
