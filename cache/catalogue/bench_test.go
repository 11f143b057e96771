package catalogue

import (
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func itoa(i int) string { return strconv.Itoa(i) }

// nodesOf returns the nodes of a tree in document order, so that benchmarks do not measure the
// model.
func nodesOf(n int) []remote.Node {
	nodes := []remote.Node{{ID: 1, Kind: remote.CategoryNode, URL: "/"}}
	category := remote.Node{}
	for i := range n {
		id := int64(len(nodes) + 1)
		if i%100 == 0 {
			category = remote.Node{ID: id, Parent: 1, Kind: remote.CategoryNode, Name: "Category " + itoa(i), URL: "/category-" + itoa(i) + "/"}
			nodes = append(nodes, category)
			id++
		}
		nodes = append(nodes, remote.Node{ID: id, Parent: category.ID, Kind: remote.PaperNode,
			Name: "Paper of the spring " + itoa(i), URL: category.URL + "paper-of-the-spring-" + itoa(i) + "/"})
	}
	return nodes
}

func build(b testing.TB, nodes []remote.Node, old *Snapshot) *Snapshot {
	builder := newBuilder(old, epoch)
	for _, n := range nodes {
		require.NoError(b, builder.add(n))
	}
	base, err := builder.finish()
	require.NoError(b, err)
	return newSnapshot(base, epoch)
}

func BenchmarkBuild100k(b *testing.B) {
	b.Run("without versions", func(b *testing.B) { benchmarkBuild(b, nodesOf(100_000)) })
	b.Run("with versions", func(b *testing.B) {
		nodes := nodesOf(100_000)
		for i := range nodes {
			nodes[i].Version, nodes[i].Edition = 1<<62+remote.Version(i), 1
		}
		benchmarkBuild(b, nodes)
	})
}

func benchmarkBuild(b *testing.B, nodes []remote.Node) {
	var s *Snapshot
	b.ReportAllocs()
	for b.Loop() {
		s = build(b, nodes, nil)
	}
	b.StopTimer()
	nodes = nil
	var with, without runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&with)
	count := s.Len()
	s = nil
	runtime.GC()
	runtime.ReadMemStats(&without)
	b.ReportMetric(float64(with.HeapAlloc-without.HeapAlloc)/float64(count), "B/node")
}

func BenchmarkDiffOfNothing100k(b *testing.B) {
	nodes := nodesOf(100_000)
	old, new := build(b, nodes, nil), build(b, nodes, nil)
	for b.Loop() {
		if !diff(old, new).Empty() {
			b.Fatal("an equal tree differs")
		}
	}
}

func BenchmarkChildrenOf100(b *testing.B) {
	s := build(b, nodesOf(100_000), nil)
	b.ReportAllocs()
	for b.Loop() {
		if len(s.Children(2)) != 100 {
			b.Fatal("wrong number of children")
		}
	}
}

func BenchmarkNode(b *testing.B) {
	s := build(b, nodesOf(100_000), nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.Node(50_000); !ok {
			b.Fatal("node not found")
		}
	}
}

func BenchmarkByURL(b *testing.B) {
	s := build(b, nodesOf(100_000), nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.ByURL("/category-50000/paper-of-the-spring-50077/"); !ok {
			b.Fatal("address not found")
		}
	}
}

func BenchmarkCreated(b *testing.B) {
	s := build(b, nodesOf(100_000), nil)
	b.ReportAllocs()
	id := int64(1_000_000)
	for b.Loop() {
		id++
		s, _ = created(remote.Node{ID: id, Parent: 2, Kind: remote.PaperNode, Name: "new", URL: "/category-0/n" + itoa(int(id)) + "/"}, epoch)(s)
	}
}

func BenchmarkSaveAndLoad100k(b *testing.B) {
	s := build(b, nodesOf(100_000), nil)
	path := filepath.Join(b.TempDir(), "saved")
	require.NoError(b, save(path, origin{}, s))
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, save(path, origin{}, s))
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			_, err := load(path, origin{})
			require.NoError(b, err)
		}
	})
}
