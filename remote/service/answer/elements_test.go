package answer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/address"
	"paperfs/remote/service/store"
)

// TestALibraryIsNested checks that each file is inside its directory, also beside empty and nested
// directories, and that every directory is closed.
func TestALibraryIsNested(t *testing.T) {
	r := records{
		dirs:  []store.Dir{{ID: 1, Name: "a"}, {ID: 2, Parent: 1, Name: "b"}, {ID: 3, Parent: 2, Name: "c"}, {ID: 4, Name: "d"}},
		files: []store.File{{ID: 10, Name: "top", Size: 1}, {ID: 11, Dir: 1, Name: "in a", Size: 1025}, {ID: 12, Dir: 3, Name: "in c"}},
	}
	got := elementsOf(t, func(w *Writer) error {
		return Library(r, w, 1, false, func(f store.File) string { return "/" + f.Name })
	})
	none, zero := "0000000000000000000000000000000000000000000000000000000000000000", "0"
	file := func(id, name, kb, bytes string) string {
		return `<file fileid="` + id + `" name="` + name + `" size="` + kb + `" bytes="` + bytes + `" sha256="` + none + `" url="/` + name + `" />`
	}
	dir := func(id, name, inside string) string {
		return `<directory directoryid="` + id + `" name="` + name + `">` + inside + `</directory>`
	}
	require.Equal(t, dir("1", "a", dir("2", "b", dir("3", "c", file("12", "in c", zero, zero)))+file("11", "in a", "2", "1025"))+
		`<directory directoryid="4" name="d" />`+file("10", "top", "1", "1"), got)
}

// TestATreeKnowsItsAddresses checks that an address grows and shrinks with the walk, and that an
// empty category has no end tag.
func TestATreeKnowsItsAddresses(t *testing.T) {
	node := func(id int64, kind remote.NodeKind, name string) store.Node {
		return store.Node{ID: id, Kind: kind, Name: name, URLName: name}
	}
	r := records{nodes: []visited{
		{store.Node{ID: 1, Kind: remote.CategoryNode, Name: "root"}, 0},
		{node(2, remote.CategoryNode, "long"), 1}, {node(3, remote.CategoryNode, "deep"), 2}, {node(4, remote.PaperNode, "p"), 3},
		{node(5, remote.CategoryNode, "empty"), 1}, {node(6, remote.PaperNode, "q"), 1},
	}}
	require.Equal(t, `<category id="1" name="root" url="/"><category id="2" name="long" url="/long/"><category id="3" name="deep" url="/long/deep/">`+
		`<paper id="4" name="p" url="/long/deep/p/" /></category></category><category id="5" name="empty" url="/empty/" /><paper id="6" name="q" url="/q/" /></category>`,
		elementsOf(t, func(w *Writer) error { return Tree(r, w, 1, "/", false) }))
}

// TestAHierarchyNamesEachCategoryOnce checks that hits in one category share it, and that a
// category of the same depth elsewhere is written again.
func TestAHierarchyNamesEachCategoryOnce(t *testing.T) {
	at := func(id, parent int64, kind remote.NodeKind) address.Place {
		return address.At(store.Node{ID: id, Parent: parent, Kind: kind, Name: "n"}, "/n/")
	}
	top, a, b := at(1, 0, remote.CategoryNode), at(2, 1, remote.CategoryNode), at(3, 1, remote.CategoryNode)
	one := func(id, parent, category string) string {
		return `<paper paperID="` + id + `" name="n" url="/n/" parentID="` + parent + `" category="` + category + `" />`
	}
	require.Equal(t, "<papers>"+one("2", "1", "True")+one("4", "2", "False")+one("5", "2", "False")+one("3", "1", "True")+one("6", "3", "False")+"</papers>",
		elementsOf(t, func(w *Writer) error {
			return Hierarchy(w, func(visit func([]address.Place) error) error {
				for _, path := range [][]address.Place{{top, a, at(4, 2, remote.PaperNode)}, {top, a, at(5, 2, remote.PaperNode)}, {top, b, at(6, 3, remote.PaperNode)}} {
					if err := visit(path); err != nil {
						return err
					}
				}
				return nil
			})
		}))
	require.Equal(t, "<papers />", elementsOf(t, func(w *Writer) error {
		return Hierarchy(w, func(func([]address.Place) error) error { return nil })
	}))
}

// TestOrdersBelongToTheirPaper checks that papers without orders between those with some stay, and
// what an order says.
func TestOrdersBelongToTheirPaper(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2031, 5, n, 10, 0, 0, 0, time.UTC) }
	line := store.OrderLine{ProductID: "x", Name: "a & b", Price: "2.50", Amount: 3}
	r := records{orders: []store.Order{{ID: "A", Paper: 2, Date: day(1), CheckoutType: "mail", Lines: []store.OrderLine{line}}, {ID: "B", Paper: 2, Date: day(2)}, {ID: "C", Paper: 4, Date: day(3)}}}
	var papers []address.Place
	for id := range int64(4) {
		papers = append(papers, address.At(store.Node{ID: id + 1, Name: "n"}, "/n/"))
	}
	got := elementsOf(t, func(w *Writer) error { return Orders(r, w, papers, "", time.Time{}) })
	for _, part := range []string{
		`<flipbook id="1" name="n" url="/n/"><orders count="0" /></flipbook><flipbook id="2" name="n" url="/n/"><orders count="2"`,
		`orderId="A"`, `totalOrderValue="7,5"`, `<productName>a &amp; b</productName>`, `<productPrice>2,50</productPrice>`,
		`</orders></flipbook><flipbook id="3" name="n" url="/n/"><orders count="0" /></flipbook><flipbook id="4" name="n" url="/n/"><orders count="1"`,
	} {
		require.Contains(t, got, part)
	}
	require.Equal(t, "<flipbooks />", elementsOf(t, func(w *Writer) error { return Orders(r, w, nil, "", time.Time{}) }))
}

// TestDaysWithoutHitsAreZero checks that each day of a period is written.
func TestDaysWithoutHitsAreZero(t *testing.T) {
	from := store.Day(20_000)
	got := elementsOf(t, func(w *Writer) error {
		Days(w, "views", "count", from, from+2, []store.DayHits{{Day: from + 1, Views: 5}}, func(h store.DayHits) int64 { return h.Views })
		return nil
	})
	require.Equal(t, `<views><day date="2024-10-04" count="0" /><day date="2024-10-05" count="5" /><day date="2024-10-06" count="0" /></views>`, got)
}

// TestCoordinatesHaveNoExponent checks the form of a link's numbers.
func TestCoordinatesHaveNoExponent(t *testing.T) {
	for f, want := range map[float64]string{0.1 + 0.2: "0.3", 1e-7: "0.0000001", 0: "0", 1.0 / 3: "0.333333333333333"} {
		require.Equal(t, want, coordinate(f))
	}
}
