package view

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"paperfs/remote/service/reader/prose"
)

// TestTextOfOthersEndsNoElement checks that names, texts and addresses of a paper end no element or
// attribute, and that a parser reads them unchanged.
func TestTextOfOthersEndsNoElement(t *testing.T) {
	const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)> & &amp; + </title></svg></section><!--`
	at := "https://example.org/" + evil
	page := Page{Number: 1, Normal: Picture{"Image.ashx?" + evil, 565, 800}, Zoom: Picture{"Image.ashx?" + evil, 1600, 2265}, Thumb: evil, Text: []prose.Block{{Text: evil}, {Kind: prose.Heading, Text: evil}, {Kind: prose.Item, Text: evil}},
		Spots: []Spot{{Href: Address(at), Name: evil, Width: 1, Height: 1}},
		Items: []Item{{Number: 1, ID: evil, Name: evil, Description: evil, Price: evil}}}
	p := &Paper{Frame: Frame{Name: evil, Title: evil, Language: evil, Canonical: at, Background: evil, Accent: evil, Site: evil, Description: evil, Logo: evil, Favicon: evil, Crumbs: []Crumb{{evil, evil, at}}}, Query: "?" + evil, Cover: Picture{Address: at}, Home: true, Icon: evil, Total: 1, First: 1, Count: 1, Step: 10,
		Pages: slices.Values([]Page{page}), Contents: []Chapter{{Title: evil, Page: 1, Href: Address(at)}}, Shop: &Shop{Currency: evil, Checkouts: []Checkout{{Type: "CheckoutByEmail", To: evil}}}}
	var all strings.Builder
	require.NoError(t, p.Write(&all))
	document, err := html.Parse(strings.NewReader(all.String()))
	require.NoError(t, err)
	texts := map[string]int{}
	for node := range document.Descendants() {
		switch {
		case node.Type == html.CommentNode:
			require.Fail(t, "the markup contains a comment", node.Data)
		case node.Type == html.TextNode:
			if node.Parent.Data == "script" {
				var about struct{ Name, Description, Currency string } // for search engines; and for the basket
				require.NoError(t, json.Unmarshal([]byte(node.Data), &about))
				require.Contains(t, [][]string{{evil, evil, ""}, {"", "", evil}}, []string{about.Name, about.Description, about.Currency})
				continue
			}
			require.NotEqual(t, "style", node.Parent.Data)
			texts[node.Parent.Data+" "+node.Data]++
		case node.Data == "img" && len(node.Attr) != 2: // the logo has an address and an empty alt
			require.Len(t, node.Attr, 8)
		}
		for _, a := range node.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on"), "%s=%s", a.Key, a.Val)
			texts["@"+a.Key+" "+a.Val]++
		}
	}
	for _, where := range []string{"p", "h1", "h4", "title", "@aria-label", "@value", "@data-thumb"} {
		require.NotZero(t, texts[where+" "+evil], where)
	}
	require.NotZero(t, texts["@href https://example.org/%22%27%3e%3cscript%3ealert%281%29%3c/script%3e%3cimg%20src=x%20onerror=alert%281%29%3e%20&%20&amp;%20+%20%3c/title%3e%3c/svg%3e%3c/section%3e%3c!--"])
}

// TestPagesStandBesideEachOther checks which pages make a spread: cover, landscape pages and a last one without
// a partner stand alone, and a book that is read from the right begins a spread on its right.
func TestPagesStandBesideEachOther(t *testing.T) {
	numbers := func(wide ...int) (pages []Page) {
		for n := 1; n <= 7; n++ {
			p := Page{Number: n, Normal: Picture{"a", 565, 800}}
			if slices.Contains(wide, n) {
				p.Normal = Picture{"b", 800, 565}
			}
			pages = append(pages, p)
		}
		return pages
	}
	for _, c := range []struct {
		language string
		layout   Layout
		pages    []Page
		want     string
	}{
		{"en", Spread, numbers(), "| left| right| left| right| left| right"},
		{"en", Spread, numbers(3), "|| wide| left| right| left| right"},
		{"en", Spread, numbers(6), "| left| right| left| right| wide|"},
		{"en", Spread, numbers(1, 2, 3, 4, 5, 6, 7), " wide| wide| wide| wide| wide| wide| wide"},
		{"he-IL", Spread, numbers(), "| right| left| right| left| right| left"},
		{"en", Single, numbers(), "||||||"},
	} {
		var all strings.Builder
		require.NoError(t, (&Paper{Frame: Frame{Language: c.language}, Layout: c.layout, Total: 7, First: 1, Count: 7, Step: 10, Sharp: 1, SharpEnd: 8, Pages: slices.Values(c.pages)}).Write(&all))
		var classes []string
		for _, found := range regexp.MustCompile(`<article id="p\d"( class="([a-z ]*)")?`).FindAllStringSubmatch(all.String(), -1) {
			classes = append(classes, " "+found[2])
		}
		require.Equal(t, c.want, strings.ReplaceAll(strings.Join(classes, "|")+"|", " |", "|")[:len(c.want)])
	}
}
