package view

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/reader/prose"
)

var record = flag.Bool("record", false, "write the pages of TestPagesAreAsRecorded to testdata")

// frame is that of a page with all that a frame can have.
func frame() Frame {
	return Frame{Name: `Spring & "Sale" <2027>`, Title: "Spring & Sale – Catalogues", Language: "de-CH", Background: "#fefefe", Accent: "#0b57d0", Stage: "light", Site: "Acme's", Logo: "media/7/logo.svg",
		Favicon: "media/8/tab.png", Description: "New: roses + lilies", Depth: 2, Canonical: "https://acme.example/catalogues/spring/?a=b&c=d", Crumbs: []Crumb{{"Acme", "../../", "https://acme.example/"}, {"Cata & logues", "../", "https://acme.example/catalogues/"}}}
}

// pages are papers, shelves and so on: each branch of their markup is in one of them.
func pages() map[string]interface{ Write(io.Writer) error } {
	day := time.Date(2027, 3, 1, 6, 0, 0, 0, time.UTC)
	shop := &Shop{Paper: 7, Currency: "CHF", Checkouts: []Checkout{{"CheckoutByEmail", "shop@acme.example"}, {"CheckoutByPrint", ""}}}
	sheets := []Page{
		{Number: 1, Thumb: "Image.ashx?PageID=1&ImageType=Thumb", Normal: Picture{"Image.ashx?PageID=1", 565, 800}, Zoom: Picture{"Image.ashx?PageID=1&ImageType=Zoom", 1600, 2265}, Text: []prose.Block{{Kind: prose.Heading, Text: "Roses"}, {Kind: prose.Subheading, Text: "Lilies"}, {Kind: prose.Item, Text: "Roses & lilies <new>"}, {Kind: prose.Item, Text: "rakes"}, {Text: "All is fresh."}},
			Spots: []Spot{{Href: "https://acme.example/?a=1&b=ü", NewTab: true, X: .1, Y: .2, Width: .3, Height: .4}, {Href: "../media/7/a.mp4", Name: "Film", Medium: "video", Most: 640, NewTab: true, X: .5, Y: .5, Width: .1, Height: .1}, {Href: "#p1i1", Name: "Rake", Item: true, Polygon: []Point{{.1, .1}, {.2, .1}, {.2, .3}}}},
			Items: []Item{{Number: 1, ID: "RK-7", Name: "Rake", Description: "Steel", Price: "29.25"}}},
		{Number: 2, Normal: Picture{"Image.ashx?PageID=2", 565, 800}, TextLater: true}, {Number: 3, Normal: Picture{"Image.ashx?PageID=3", 565, 800}, TextElsewhere: true}, {Number: 4},
	}
	whole := &Paper{Frame: frame(), Layout: Spread, Maximize: true, MaxZoom: 400, Print: true, PDF: true, Counted: true, Query: "?SecurityToken=x%2By", Cover: Picture{"https://acme.example/Image.ashx?PageID=1", 565, 800}, Home: true, Since: day, Icon: "Image.ashx?PageID=1&ImageType=Thumb",
		Total: 9, First: 3, Count: 4, Step: 4, Sharp: 3, SharpEnd: 5, Pages: slices.Values(sheets), Contents: []Chapter{{"Roses & more", 1, 0, "./?Page=1&x=y"}, {"Lilies", 2, 1, "#p2"}}, Shop: shop}
	whole.Ends = "2027-03-02 06:00 UTC"
	bare := &Paper{Frame: Frame{Name: "שלום", Title: "שלום", Language: "he", Speaks: "fr", Hidden: true, Bare: true, Stage: "dark"}, Layout: Single, Paired: true, Labels: []string{"i", "", `"A" <%d>`, "2"}, Text: true, Total: 4, First: 1, Count: 4, Step: 10, Sharp: 1, SharpEnd: 5, Icon: "Image.ashx?PageID=1", Pages: slices.Values(sheets), Shop: &Shop{Preview: true, Checkouts: shop.Checkouts}}
	shelf := &Shelf{Frame: frame(), Base: "https://acme.example/catalogues/", Query: "?ForceLanguage=de", Search: `"roses"`, Newest: true, Page: 2, Next: 3, Short: true,
		Entries: []Entry{{Name: "Spring & Sale", Address: "spring/", Date: day, Cover: Picture{"spring/Image.ashx?a=1&b=2", 150, 212}, Sharp: Picture{"spring/Image.ashx?a=1&b=3", 565, 800}}, {Name: "More", Address: "more/", Category: true}}}
	receipt := &Receipt{Frame: frame(), Shop: shop, Query: "?SecurityToken=x", Key: "k+y", Lines: []ReceiptLine{{"RK-7", "Rake & co", "29.25", 2}}, Total: "58.5"}
	return map[string]interface{ Write(io.Writer) error }{
		"paper": whole, "paperbare": bare, "paperempty": &Paper{Pages: slices.Values([]Page{})},
		"shelf": shelf, "shelfbare": &Shelf{Frame: Frame{Name: "A", Title: "A", Bare: true, Hidden: true}, Entries: shelf.Entries[:1]}, "shelfempty": &Shelf{Frame: Frame{Name: "A", Title: "A"}, Search: "x"},
		"state":      &State{Frame: frame(), Saying: Saying{"In < preparation", "Wait & see"}, Percent: 35, Again: 5, Link: "../?a=b&c", Label: "Others"},
		"stateshort": &State{Saying: Saying{"Gone", "It is not here."}},
		"order":      receipt, "orderrefused": &Receipt{Frame: Frame{Title: "A"}, Refused: "The price < changed"},
		"ordersent":    &Receipt{Frame: frame(), Shop: shop, ID: "Zk81qP", Handover: Handover{Type: "CheckoutByEmail", To: "mailto:shop@acme.example?subject=x&body=a%20b"}},
		"orderexport":  &Receipt{Frame: frame(), Shop: shop, ID: "Zk81qP", Handover: Handover{Type: "CheckoutByExport", To: "https://shop.example/in?x=1&y", Basket: `<shop paperId="7"/>`}},
		"statistics":   &Statistics{Frame: frame(), Month: day, Earlier: "?Month=2027-02&x", Later: "?Month=2027-04", Until: day, Views: 41, Visits: 12, Most: 30, Pages: []Viewed{{1, 30, Picture{"Image.ashx?a&b", 150, 212}}, {2, 11, Picture{}}}},
		"statisticsno": &Statistics{Frame: Frame{Language: "nl", Name: "A", Title: "A"}, Month: day, Until: day},
	}
}

// TestPagesAreAsRecorded compares pages with those in testdata. If a change of the markup is meant, increment written (version.go),
// so that browsers that have such a page ask for it again, and record the pages: go test ./remote/service/reader/view -run Recorded -record
func TestPagesAreAsRecorded(t *testing.T) {
	for name, page := range pages() {
		var b bytes.Buffer
		require.NoError(t, page.Write(&b))
		names := assets().Names
		text := b.String()
		for plain, hashed := range names { // what is in an asset says nothing of the markup
			text = strings.ReplaceAll(text, hashed, plain)
		}
		file := filepath.Join("testdata", name+".html")
		if *record {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), text, name)
	}
}

// BenchmarkPaper writes a paper of a hundred pages.
func BenchmarkPaper(b *testing.B) {
	p := *pages()["paper"].(*Paper)
	one := slices.Collect(p.Pages)
	p.Pages = func(yield func(Page) bool) {
		for n := range 100 {
			page := one[n%len(one)]
			if page.Number = n + 1; !yield(page) {
				return
			}
		}
	}
	p.Total, p.First, p.Count = 100, 1, 100
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Write(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPages writes the other pages once each.
func BenchmarkPages(b *testing.B) {
	all := pages()
	b.ReportAllocs()
	for b.Loop() {
		for _, page := range all {
			if err := page.Write(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}
