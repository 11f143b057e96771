package apitest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// TestShelfIsSortedAndSearched checks both orders of a shelf, the publisher's choice of one, and a search, which the
// address alone asks for. What is not public is in none of them.
func TestShelfIsSortedAndSearched(t *testing.T) {
	t.Parallel()
	s := start(t)
	shelf := s.category(s.root(), "shelf")
	deep := s.category(s.category(shelf, "garden"), "tools")
	since := func(paper, from, to string) string {
		s.must(remote.SetPublicationPeriod, "paperID", paper, "from", from, "to", to)
		return paper
	}
	since(s.filled(shelf, "apples"), "2020-03-01", "2100-01-01")
	since(s.filled(shelf, "pears"), "2022-03-01", "2100-01-01")
	s.filled(shelf, "undated")
	since(s.filled(deep, "Rakes"), "2021-02-01", "2100-01-01")
	since(s.filled(deep, "spades"), "2023-02-01", "2100-01-01")
	since(s.filled(shelf, "secret-pears"), "2024-01-01", "2024-06-01")
	s.paper(shelf, "empty-pears")
	for query, want := range map[string][]string{
		"":                               {"garden", "apples", "pears", "undated"},
		"?Order=name":                    {"garden", "apples", "pears", "undated"},
		"?Order=newest":                  {"garden", "pears", "apples", "undated"},
		"?Search=pears":                  {"pears"},
		"?Search=%EF%BC%B0e%C2%ADars":    {"pears"},
		"?Search=RAKES+tools":            {"garden/tools/Rakes"},
		"?Search=garden":                 {"garden/tools/Rakes", "garden/tools/spades"},
		"?Search=garden&Order=newest":    {"garden/tools/spades", "garden/tools/Rakes"},
		"?Search=+":                      {"garden", "apples", "pears", "undated"},
		"?Search=secret":                 nil,
		"?Search=empty":                  nil,
		"?Search=%22%3E%3Cscript%3E%FF":  nil,
		"?Search=" + repeated("%C3%A4"):  nil,
		"?Search=pears&SecurityToken=no": {"pears"},
	} {
		page := s.visit("/shelf/" + query)
		require.Equal(t, 200, page.status, query)
		require.Equal(t, want, listed(page), query)
		searched := strings.Contains(query, "Search=") && query != "?Search=+"
		require.Equal(t, searched, strings.Contains(page.body, `content="noindex"`), "only searches are hidden from search engines: %s", query)
		require.Equal(t, want == nil, strings.Contains(page.body, "No publication here has these words"), query)
		require.NotContains(t, page.body, "\"><script", query)
	}
	page := s.visit("/shelf/")
	require.Contains(t, page.body, `<time datetime="2022-03-01" lang="en">1 March 2022</time>`)
	require.Contains(t, s.visit("/shelf/?ForceLanguage=fr").body, `>1er mars 2022</time>`)
	require.Contains(t, s.visit("/shelf/?Order=newest").body, `<time datetime="2023-02-01" lang="en">1 February 2023</time>`, "of the category, that of its newest paper")
	require.Contains(t, page.body, `rel="canonical" href="`+s.http.URL+`/shelf/"`)
	require.Equal(t, 404, s.visit("/shelf/garden/none/?Search=x").status)
	require.Equal(t, 404, s.visit("/shelf/?Search=pears&Page=2").status)
	s.must(remote.SetSetting, "paperID", shelf, "setting", "shelfOrder", "value", "newest")
	require.Equal(t, []string{"garden", "pears", "apples", "undated"}, listed(s.visit("/shelf/")))
	require.Equal(t, []string{"garden", "apples", "pears", "undated"}, listed(s.visit("/shelf/?Order=name")))
	s.fails(remote.Failure, remote.SetSetting, "paperID", shelf, "setting", "shelfOrder", "value", "oldest")
}

func repeated(text string) string { return strings.Repeat(text, 1000) }

// TestShelfSearchTellsNothingOfWhatIsHidden checks that a search in a category with nothing public is answered as
// one in what does not exist.
func TestShelfSearchTellsNothingOfWhatIsHidden(t *testing.T) {
	t.Parallel()
	s := start(t)
	hidden := s.filled(s.category(s.root(), "shelf"), "hidden")
	s.must(remote.SetPublicationPeriod, "paperID", hidden, "from", "2020-01-01", "to", "2021-01-01")
	for _, query := range []string{"?Search=hidden", "?Order=newest", "?Search=x&Order=newest"} {
		r, none := s.visit("/shelf/"+query), s.visit("/nothing/"+query)
		require.Equal(t, 404, r.status, query)
		require.Equal(t, none.body, r.body, query)
	}
}

// TestShelfOfManyIsPaged checks that the pages of each order and of a search have every paper once, and that
// their links lead from one to the next.
func TestShelfOfManyIsPaged(t *testing.T) {
	t.Parallel()
	s := start(t)
	for i := range 7 {
		s.filled(s.root(), fmt.Sprint("paper", i))
	}
	s.setListing(3, 100)
	for _, query := range []string{"?Order=newest", "?Search=paper"} {
		var all []string
		for at := query; at != ""; {
			page := s.visit("/" + at)
			require.Equal(t, 200, page.status, at)
			all = append(all, listed(page)...)
			more := moreLink.FindStringSubmatch(page.body)
			if at = ""; more != nil {
				at = strings.ReplaceAll(more[1], "&amp;", "&")
			}
		}
		require.ElementsMatch(t, []string{"paper0", "paper1", "paper2", "paper3", "paper4", "paper5", "paper6"}, all, query)
	}
	s.setListing(3, 5)
	require.Contains(t, s.visit("/?Search=paper").body, wordsShort)
}

// TestTheTopHasThePublishersName checks that pages call the publisher by its name or else by the host, and never by the
// tenant's name: the shelf, the way to a paper, the page of a paper that has ended, and what search engines read.
func TestTheTopHasThePublishersName(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.filled(s.category(s.root(), "shelf"), "paper")
	ended := s.filled(s.root(), "ended")
	s.must(remote.SetPublicationPeriod, "paperID", ended, "from", "2001-01-01", "to", "2001-01-02")
	require.NotEmpty(t, paper)
	for _, name := range []string{"127.0.0.1", "Nordlys & Co"} {
		if name != "127.0.0.1" {
			s.must(remote.SetSetting, "paperID", s.root(), "setting", "publisher", "value", name)
		}
		html, json := strings.ReplaceAll(name, "&", "&amp;"), strings.ReplaceAll(name, "&", `\u0026`)
		for path, words := range map[string][]string{
			"/":             {`<h1 dir="auto">` + html + `</h1>`, `<title>` + html + `</title>`, `"publisher":{"@type":"Organization","name":"` + json + `"}`},
			"/shelf/":       {`<a href="../"><bdi>` + html + `</bdi></a>`, `"name":"` + json + `","position":1`},
			"/shelf/paper/": {`<meta property="og:site_name" content="` + html + `">`, `"name":"` + json + `","position":1`},
			"/ended/":       {`dir="auto">` + html + `</p>`},
		} {
			body := s.visit(path).body
			for _, one := range words {
				require.Contains(t, body, one, path)
			}
			require.NotContains(t, body, "default<", path)
			require.NotContains(t, body, `"default"`, path)
		}
	}
}

// TestShelfHasItsWayAndTitle checks the way from the top to a category, and the titles that a publisher sets.
func TestShelfHasItsWayAndTitle(t *testing.T) {
	t.Parallel()
	s := start(t)
	shelf := s.category(s.root(), "shelf")
	below := s.category(shelf, "below")
	s.filled(below, "paper")
	title := func(id, text string) {
		s.must(remote.SetSetting, "paperID", id, "setting", "shelfTitle", "value", text)
	}
	way := `<a href="../../"><bdi>`
	require.NotContains(t, s.visit("/").body, `class="crumbs"`)
	require.Contains(t, s.visit("/shelf/below/?ForceLanguage=de").body, `<a href="../?ForceLanguage=de"><bdi>shelf</bdi></a>`)
	title(s.root(), "Our <catalogues>")
	require.Contains(t, s.visit("/").body, `<h1 dir="auto">Our &lt;catalogues&gt;</h1>`)
	page := s.visit("/shelf/below/")
	require.Contains(t, page.body, way+`Our &lt;catalogues&gt;</bdi></a><a href="../"><bdi>shelf</bdi></a>`)
	require.Contains(t, page.body, `<h1 dir="auto">below</h1>`, "the title is that of the category that it is set for")
	title(below, "Spring")
	require.Contains(t, s.visit("/shelf/below/").body, `<h1 dir="auto">Spring</h1>`)
	require.Contains(t, s.visit("/shelf/").body, "<bdi>below</bdi>")
	s.fails(remote.Failure, remote.SetSetting, "paperID", below, "setting", "shelfTitle", "value", strings.Repeat("x", 101))
	s.fails(remote.Failure, remote.SetSetting, "paperID", below, "setting", "shelfTitle", "value", "a\nb")
	require.NotContains(t, s.visit("/shelf/?HideNavigationBars=true&Search="+url.QueryEscape("paper")).body, "<form")
}
