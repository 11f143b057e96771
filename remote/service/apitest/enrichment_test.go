package apitest

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// items returns page, alt text, parameter and upper edge of each product link.
func (s *server) items(paper string) (all []string) {
	s.t.Helper()
	var root struct {
		Links []struct {
			Page  string  `xml:"number"`
			Y     float64 `xml:"y"`
			Type  string  `xml:"linktype"`
			Name  string  `xml:"alttext"`
			Param string  `xml:"param"`
		} `xml:"root>link"`
	}
	require.NoError(s.t, xml.Unmarshal([]byte("<data>"+s.must(remote.GetLinks, "paperID", paper).data+"</data>"), &root))
	for _, l := range root.Links {
		if l.Type == "shopitem" {
			all = append(all, fmt.Sprintf("%s %s %s %.2f", l.Page, l.Name, l.Param, l.Y))
		}
	}
	return all
}

const products = "Id;Name;Description;Price;Url;HoverText;HrefTarget\n" +
	"RK-7;Rake;Steel;29,25;;The rake;\n" +
	"GL-1;Gloves;;9;https://shop.example/gloves;;_top\n" +
	"P-1;Index;;;2;;\n" +
	"B-1;Bad;;from 3;;;\n"

const films = "Id,Url,MediaUrl,AsPopup,PopupFrameMaxWidth\nF-1,,https://www.youtube.com/watch?v=1,,\nF-2,,https://cdn.example/a.mp4,,\nF-3,,media/films/a.jpg,,\n" +
	"F-4,https://shop.example/,,TRUE,\nF-5,,http://cdn.example/a.jpg,,wide\nF-6,https://shop.example/,,ja,\n"

func tagged(where float64, address string) pdftest.Link {
	return pdftest.Link{Left: 100, Right: 300, Bottom: where, Top: where + 50, URI: address}
}

// TestTaggedPDF checks that product links get their data from the attached table.
func TestTaggedPDF(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	links := []pdftest.Link{tagged(421, "ipaper://Shop/RK-7"), tagged(300, "ipaper://ExternalLink/GL-1/Frame"), tagged(200, "ipaper://PageLink/P-1"), tagged(100, "ipaper://PageLink/1")}
	document := pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: products}}, pdftest.Sheet{Links: links}, pdftest.Sheet{})
	s.process(paper, document, pdfOptions(imports))
	require.Equal(t, []string{"1 shopitem  7", "1 url https://shop.example/gloves 7", "1 page #p2 7", "1 page #p1 7"}, s.links(paper))
	rake := "1 The rake <item><name>Rake</name><price>29.25</price><descr>Steel</descr><id>RK-7</id></item> 0.44"
	require.Equal(t, []string{rake}, s.items(paper))

	// With a newer table, preserved links get the new price, and no link is duplicated.
	document = pdftest.Attached([]pdftest.File{{Name: "products.csv", Content: strings.ReplaceAll(products, "29,25", "31")}}, pdftest.Sheet{Links: links}, pdftest.Sheet{})
	s.process(paper, document, pdfOptions("<import-links>1</import-links><import-links-styleid>7</import-links-styleid>"))
	require.Equal(t, []string{strings.ReplaceAll(rake, "29.25", "31")}, s.items(paper))
}

// TestTableInTheMediaLibrary checks that a table in the media library takes precedence over an
// attached one, and that ids in the text of a plain catalogue become links.
func TestTableInTheMediaLibrary(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	dir := s.must(remote.CreateDirectory, "parentID", "0", "name", "enrichment").element(t, "directoryid")
	s.upload(dir, "spring.csv", products)
	catalogue := []pdftest.Sheet{
		{Text: "Rakes\nRK-7, steel\nRK-77 and xRK-7"},
		{Text: "(RK-7) or GL-1", Links: []pdftest.Link{{Left: 0, Right: 595, Bottom: 100, Top: 200, URI: "ipaper://Shop/GL-1"}}},
		{Text: "RK-7", Links: []pdftest.Link{{Left: 0, Right: 595, Bottom: 700, Top: 842, URI: "ipaper://Shop/GL-1"}}},
	}
	options := pdfOptions(imports + "<custom-link-import-name>spring</custom-link-import-name>")
	s.process(paper, pdftest.Attached([]pdftest.File{{Name: "x.csv", Content: "Id,Name,Price\nRK-7,Other,1\n"}}, catalogue...), options)
	const rake, gloves = "<item><name>Rake</name><price>29.25</price><descr>Steel</descr><id>RK-7</id></item>", "<item><name>Gloves</name><price>9</price><descr></descr><id>GL-1</id></item>"
	require.Equal(t, []string{"1 The rake " + rake + " 0.06", "2 Gloves " + gloves + " 0.76", "2 The rake " + rake + " 0.03", "2 Gloves " + gloves + " 0.03", "3 Gloves " + gloves + " 0.00"}, s.items(paper))

	// Without a table, no text becomes a product link.
	s.process(paper, pdftest.Document(catalogue[:1]), pdfOptions(imports))
	require.Empty(t, s.items(paper))

	s.fails(remote.Failure, remote.ProcessPDF, "paperID", paper, "xmlOptions", pdfOptions("<custom-link-import-name>spring</custom-link-import-name>"), "base64Pdf", somePDF)
	s.fails(remote.Failure, remote.ProcessPDF, "paperID", paper, "xmlOptions", pdfOptions(imports+"<custom-link-import-name>../x</custom-link-import-name>"), "base64Pdf", somePDF)
}

// TestEnrichmentFails checks that the pages are published, and that the reason says what is missing
// where.
func TestEnrichmentFails(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper(s.root(), "spring")
	var links []pdftest.Link
	for i := range 25 {
		links = append(links, tagged(100, fmt.Sprintf("ipaper://Shop/X-%d", i)))
	}
	for name, c := range map[string]struct {
		files   []pdftest.File
		links   []pdftest.Link
		options string
		reasons []string
		items   int
	}{
		"no data":   {nil, links, "", []string{`Page 1: no table has a product with the Id "X-0".`, `"X-19"`, "And 5 more."}, 0},
		"bad price": {[]pdftest.File{{Name: "a.csv", Content: products}}, []pdftest.Link{tagged(100, "ipaper://Shop/B-1")}, "", []string{`Page 1: the price "from 3" of "B-1" is not a number.`}, 1},
		"bad table": {[]pdftest.File{{Name: "a.csv", Content: "Id,Name\nx,\"y\n"}}, nil, "", []string{"The table a.csv cannot be read: line 2"}, 0},
		"two":       {[]pdftest.File{{Name: "a.csv", Content: products}, {Name: "b.csv", Content: products}}, nil, "", []string{"a.csv and b.csv"}, 0},
		"no media":  {nil, nil, "<custom-link-import-name>none</custom-link-import-name>", []string{"There is no media file enrichment/none.csv."}, 0},
		"kind":      {nil, []pdftest.Link{tagged(100, "ipaper://Video/1")}, "", []string{`Page 1: unknown kind of link "Video".`}, 0},
		"media": {[]pdftest.File{{Name: "a.csv", Content: films}}, []pdftest.Link{tagged(600, "ipaper://PopupVideo/F-1"), tagged(500, "ipaper://PopupVideo/F-2"), tagged(400, "ipaper://InlineImage/F-3"), tagged(300, "ipaper://ExternalLink/F-4"), tagged(200, "ipaper://PopupImage/F-5"), tagged(100, "ipaper://ExternalLink/F-6")}, "", []string{
			`Page 1: the MediaUrl "https://www.youtube.com/watch?v=1" of "F-1" is no picture, film or sound`, `pages of other sites: link to them with ExternalLink and Url.`,
			`Page 1: the MediaUrl "https://cdn.example/a.mp4" of "F-2" is on a host that the setting mediaHosts does not name. Add cdn.example to it`,
			`Page 1: the MediaUrl "media/films/a.jpg" of "F-3" is not in the media library. Copy the file to media/films/a.jpg, and send the PDF again.`,
			`Page 1: the Url "https://shop.example/" of "F-4" is no picture`, `Page 1: the PopupFrameMaxWidth "wide" of "F-5" is not a number of pixels.`, `Page 1: the AsPopup "ja" of "F-6" is neither true nor false.`}, 0},
	} {
		job := s.queue(paper, pdftest.Attached(c.files, pdftest.Sheet{Text: name, Links: c.links}), pdfOptions(imports+c.options))
		status, reason := s.ended(job)
		require.Equal(t, remote.JobEnrichmentFailed, status, name)
		for _, words := range c.reasons {
			require.Contains(t, reason, words, name)
		}
		require.Equal(t, []string{name}, texts(s.pages(paper)))
		require.Len(t, s.items(paper), c.items)
	}
}

// TestAProblemIsNamedOnce checks that a problem common to many links is reported once.
func TestAProblemIsNamedOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	var links []pdftest.Link
	for i := range 60 {
		links = append(links, tagged(100, fmt.Sprintf("ipaper://Shop/X-%d", i%22)))
	}
	job := s.queue(s.paper(s.root(), "spring"), pdftest.Document([]pdftest.Sheet{{Links: links}}), pdfOptions(imports))
	_, reason := s.ended(job)
	require.Equal(t, 1, strings.Count(reason, `"X-0"`), reason)
	require.Contains(t, reason, `"X-19". And 2 more.`)
}
