package apitest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/store"
)

// TestClicksAreCounted checks that clicks count by page and by what people call the target, those of links that the page
// has alone: not those to pages, nor of another page, nor what a stranger makes up. They are no views.
func TestClicksAreCounted(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	s.process(s.paper, pdftest.Document(make([]pdftest.Sheet, 130)), "")
	list := s.upload("0", "Prices ä.txt", "x")
	long := "https://example.org/" + strings.Repeat("ü", 800)
	url := func(page int, to string) store.Link {
		return store.Link{Page: page, Width: 1, Height: 1, LinkType: "url", URL: to}
	}
	product := func(page int, param string) store.Link {
		return store.Link{Page: page, Width: 1, Height: 1, LinkType: "shopitem", Param: param}
	}
	s.link(s.paper, url(1, "https://example.org/?a=1&b=2"), url(1, "https://example.org/?a=1"), url(2, long), url(2, "sales@example.org"),
		store.Link{Page: 2, Width: 1, Height: 1, LinkType: "page", URL: "#p3"}, store.Link{Page: 3, Width: 1, Height: 1, LinkType: "file", FileID: list},
		product(3, "<item><name>Rake</name><id>4711</id><price>29.25</price></item>"), product(3, "<item><name>Rake &amp; Co</name></item>"), product(3, ""),
		url(129, "https://example.org/late"))
	clicked := func(links ...string) {
		t.Helper()
		form := params("pages", "1")
		if strings.HasPrefix(links[0], "only ") {
			form, links[0] = params(), links[0][5:]
		}
		form["link"] = links
		require.Equal(t, 204, s.hit("/spring/Hit.ashx", form).status)
	}
	clicked("1 https://example.org/?a=1&b=2", "1 https://example.org/?a=1&b=2", "1 https://example.org/?a=1")
	clicked("2 https://example.org/" + strings.Repeat("%c3%bc", 800))
	clicked("only 3 ../media/"+list+"/Prices%20%C3%A4.txt", "3 #p3i1", "3 #p3i2", "3 #p3i2", "3 #p3i3")
	clicked("only 129 https://example.org/late")
	clicked("2 #p3", "1 "+long, "3 #p3i4", "131 #p131i1", "1 https://stranger.example/", "1  https://example.org/?a=1", "1 ")
	for _, bad := range []string{"", "x", "0 https://example.org/?a=1", "https://example.org/?a=1"} {
		form := params("pages", "1")
		form["link"] = []string{bad}
		require.Equal(t, 422, s.hit("/spring/Hit.ashx", form).status, bad)
	}
	s.reopen()
	pages, _ := s.byPage("2031-05-01", "2031-05-31")
	var links []string
	for element := range strings.SplitSeq(pages, "<") {
		if strings.HasPrefix(element, "link ") {
			links = append(links, strings.TrimSpace(element))
		}
	}
	require.Equal(t, []string{
		`link page="1" target="https://example.org/?a=1" clicks="1" />`, `link page="1" target="https://example.org/?a=1&amp;b=2" clicks="2" />`,
		`link page="2" target="https://example.org/` + strings.Repeat("ü", 140) + `" clicks="1" />`,
		`link page="3" target="#p3i3" clicks="1" />`, `link page="3" target="4711 Rake" clicks="1" />`, `link page="3" target="Rake &amp; Co" clicks="2" />`, `link page="3" target="media/` + list + `/Prices ä.txt" clicks="1" />`,
		`link page="129" target="https://example.org/late" clicks="1" />`,
	}, links)
	require.Equal(t, `2031-05-04 v3, <visitors count="0" />`, s.counted("2031-05-01", "2031-05-31"))
}

// TestTargetsOfClicks checks what unusual links are called: an address as the publisher wrote it, even a relative one, a product by its Id
// also without a price. None of them counts as a view, or holds up what is written.
func TestTargetsOfClicks(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	links := []struct{ kind, to, href, target string }{
		{"url", "../", "../", "../"},
		{"url", "../100%", "../100%25", "../100%"},
		{"url", "../a%00b", "../a%00b", "../a%00b"},
		{"url", "../%ff", "../%ff", "../%ff"},
		{"url", "../summer/?a=%20", "../summer/?a=%20", "../summer/?a=%20"},
		{"url", "?View=text", "?View=text", "?View=text"},
		{"url", "https://example.org/a b\"c'd+e#f&amp;g", "https://example.org/a%20b%22c%27d+e#f&amp;g", "https://example.org/a b&quot;c'd+e#f&amp;amp;g"},
		{"url", "https://müller.example/\u202eabc", "https://m%c3%bcller.example/%e2%80%aeabc", "https://müller.example/\u202eabc"},
		{"url", "https://example.org/" + strings.Repeat("ä", 4000), ("https://example.org/" + strings.Repeat("%c3%a4", 4000))[:5000], "https://example.org/" + strings.Repeat("ä", 140)}, // hit.js cuts it
		{"shopitem", "<item><name>Rake</name><id>RK-7</id></item>", "#p1i1", "RK-7 Rake"},
		{"shopitem", "<item><name>Saw</name><id>SW-1</id><price>soon</price></item>", "#p1i2", "SW-1 Saw"},
	}
	var all []store.Link
	for _, l := range links {
		link := store.Link{Page: 1, Width: 1, Height: 1, LinkType: l.kind, URL: l.to}
		if l.kind == "shopitem" {
			link.URL, link.Param = "", l.to
		}
		all = append(all, link)
	}
	s.link(s.paper, all...)
	body := s.get(s.http.URL + "/spring/").body
	var targets []string
	for _, l := range links {
		require.Contains(t, body, `<a href="`+strings.NewReplacer("&", "&amp;", "+", "&#43;").Replace(l.href))
		require.Equal(t, 204, s.hit("/spring/Hit.ashx", params("link", "1 "+l.href)).status, l.href)
		targets = append(targets, `link page="1" target="`+l.target+`" clicks="1" />`)
	}
	s.reopen()
	pages, _ := s.byPage("2031-05-01", "2031-05-31")
	var counted []string
	for element := range strings.SplitSeq(pages, "<") {
		if element = strings.TrimSpace(element); strings.HasPrefix(element, "link ") {
			counted = append(counted, element)
		}
	}
	require.ElementsMatch(t, targets, counted)
	require.NotContains(t, pages, `number="1" views="1"`)
	require.Equal(t, `<visitors count="0" />`, s.counted("2031-05-01", "2031-05-31"))
}
