package apitest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var titles = regexp.MustCompile(`<title>(.*)</title>|<meta property="og:title" content="(.*)">|<link rel="canonical" href="(.*)">|<h1[^>]*>(.*)</h1>`)

// called returns how a page describes itself: title, canonical address, title for other sites,
// heading.
func (s *server) called(path string) (all []string) {
	s.t.Helper()
	for _, found := range titles.FindAllStringSubmatch(s.visit(path).body, -1) {
		all = append(all, strings.TrimPrefix(strings.Join(found[1:], ""), s.http.URL))
	}
	return all
}

// TestAPaperWithoutANameIsToldFromOthers checks that the title of an imported paper without a name
// includes the categories above it, because other papers may share the end of its address.
func TestAPaperWithoutANameIsToldFromOthers(t *testing.T) {
	t.Parallel()
	s := start(t)
	_, err := s.importText(`<import><category url="/garden/" name="Garden &amp; tools"/><paper url="/garden/2031/spring/"><pages><page number="1"/></pages></paper><paper url="/pumps/2031/spring/"/><paper url="/pumps/named/" name="Spring"/><paper url="/top/"/></import>`)
	require.NoError(t, err)
	for path, title := range map[string]string{
		"/garden/2031/spring/": "spring – 2031 – Garden &amp; tools", "/pumps/2031/spring/": "spring – 2031 – pumps", "/pumps/named/": "Spring", "/top/": "top",
		"/garden/2031/": "2031 – Garden &amp; tools", "/garden/": "Garden &amp; tools",
	} {
		all := s.called(path)
		require.Equal(t, []string{title, path, title}, all[:3], path)
		name, _, _ := strings.Cut(title, " – ")
		require.Equal(t, name, all[3], path)
	}
}

// TestEachPartIsAnAddressOfItsOwn checks the canonical address of each part: search engines skip a
// page whose canonical address is another.
func TestEachPartIsAnAddressOfItsOwn(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.paperOf("many", "one", "two", "three", "four", "five")
	s.paperOf("more", "one")
	s.setPaperPage(2, 1<<20)
	s.setListing(1, 1_000)
	for path, address := range map[string]string{
		"/many/": "/many/", "/many/?Page=1": "/many/", "/many/?Page=4": "/many/?Page=4", "/many/?View=text&Page=4": "/many/?Page=4", "/many/?ForceLanguage=de": "/many/",
		"/": "/", "/?Page=1": "/", "/?Page=2&ForceLanguage=de": "/?Page=2",
	} {
		require.Equal(t, address, s.called(path)[1], path)
	}
}
