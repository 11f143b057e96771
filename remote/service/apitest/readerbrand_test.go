package apitest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/pdftest"
)

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>`

// TestAReaderHasItsPublishersLook checks the settings of a publisher's look on papers, shelves and pages that say why
// there are none, and that a picture that is gone is left out.
func TestAReaderHasItsPublishersLook(t *testing.T) {
	t.Parallel()
	s := start(t)
	root := s.root()
	s.filled(s.category(root, "shelf"), "paper")
	set := func(name, value string) { s.must(remote.SetSetting, "paperID", root, "setting", name, "value", value) }
	dir := s.must(remote.CreateDirectory, "parentID", "0", "name", "brand").element(t, "directoryid")
	logo, tab := s.upload(dir, "Our logo.svg", svg), s.upload("0", "tab.png", "\x89PNG\r\n\x1a\n")
	before := s.visit("/shelf/paper/").header.Get("ETag")
	for name, value := range map[string]string{"accentColor": "#f80", "stage": "dark", "logo": "brand/our LOGO.svg", "favicon": "tab.png", "shelfTitle": "Our catalogues"} {
		set(name, value)
		now := s.visit("/shelf/paper/").header.Get("ETag")
		require.NotEqual(t, before, now, name)
		before = now
	}
	styled := regexp.MustCompile(`<style>([^<]*)</style>`)
	for path, up := range map[string]string{"/": "", "/shelf/": "../", "/shelf/paper/": "../../", "/shelf/none/": "../../"} {
		r := s.visit(path)
		style := styled.FindStringSubmatch(r.body)
		require.NotNil(t, style, path)
		require.Contains(t, style[1], "--accent:#ff8800;--on:#000000;")
		sum := sha256.Sum256([]byte(style[1]))
		require.Contains(t, r.header.Get("Content-Security-Policy"), "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';", path)
		require.Contains(t, r.body, `<meta name="color-scheme" content="dark">`, path)
		require.Regexp(t, `<html[^>]* class="[^"]*\bdark"`, r.body, path)
		require.Contains(t, r.body, `<link rel="icon" href="`+up+`media/`+tab+`/tab.png">`, path)
		if path != "/shelf/none/" {
			require.Contains(t, r.body, `src="`+up+`media/`+logo+`/Our%20logo.svg"`, path)
			require.Contains(t, r.body, `<meta property="og:site_name" content="Our catalogues">`, path)
		}
	}
	require.Contains(t, s.visit("/shelf/paper/?ForceLanguage=de").body, `<a class="logo" href="../?ForceLanguage=de" aria-label="Zu den Publikationen">`)
	s.must(remote.DeleteFile, "fileID", logo)
	s.must(remote.DeleteFile, "fileID", tab)
	r := s.visit("/shelf/paper/")
	require.Equal(t, 200, r.status)
	require.NotContains(t, r.body, "media/")
	require.Contains(t, r.body, `href="../../reader/icon.`)
	require.NotEqual(t, before, r.header.Get("ETag"))
	s.storeSetting(1, "accentColor", "red}</style><script>")
	s.storeSetting(1, "logo", "../../secret.png")
	r = s.visit("/shelf/paper/")
	require.Equal(t, 200, r.status)
	require.NotContains(t, r.body, "<style>")
	require.NotContains(t, r.body, "secret")
}

// TestALogoIsAPicture checks that a setting takes no file that is missing or no picture, and says so.
func TestALogoIsAPicture(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.upload("0", "text.png", "no picture")
	s.upload("0", "logo.svg", svg)
	for value, words := range map[string]string{"none.png": "has no file none.png", "brand/logo.svg": "has no file brand/logo.svg", "text.png": "text.png is not a picture", "logo.pdf": "logo has to be"} {
		r := s.fails(remote.Failure, remote.SetSetting, "paperID", s.root(), "setting", "logo", "value", value)
		require.Contains(t, r.words, words)
	}
	require.Empty(t, s.setting(s.root(), "logo"))
	s.must(remote.SetSetting, "paperID", s.root(), "setting", "logo", "value", "logo.svg")
}

// TestSearchEnginesAreTold checks what pages say to search engines and to sites that show links: of what is public
// alone.
func TestSearchEnginesAreTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	shelf := s.category(s.root(), "shelf")
	paper := s.paper(shelf, "paper")
	s.process(paper, pdftest.Document([]pdftest.Sheet{{Text: "Rakes & spades " + strings.Repeat("for the garden\n", 30)}}), "")
	s.must(remote.SetPublicationPeriod, "paperID", paper, "from", "2020-03-01", "to", "2100-01-01")
	hidden := s.filled(shelf, "unseen")
	s.must(remote.SetPublicationPeriod, "paperID", hidden, "from", "2020-01-01", "to", "2021-01-01")
	about := func(path string) (said map[string]any) {
		r := s.visit(path)
		found := searchEngines.FindStringSubmatch(r.body)
		require.NotNil(t, found, path)
		require.NotContains(t, r.body, "unseen")
		require.NoError(t, json.Unmarshal([]byte(found[1]), &said))
		return said
	}
	said := about("/shelf/paper/")
	require.Equal(t, []any{s.http.URL + "/shelf/paper/", "2020-03-01T00:00:00Z", "en"}, []any{said["url"], said["datePublished"], said["inLanguage"]})
	require.Contains(t, said["image"], s.http.URL+"/shelf/paper/Image.ashx?PageID=")
	require.Regexp(t, `^Rakes & spades for the garden .* …$`, said["description"])
	require.Len(t, said["breadcrumb"].(map[string]any)["itemListElement"], 3)
	require.Len(t, about("/shelf/")["hasPart"], 1)
	body := s.visit("/shelf/paper/").body
	require.Regexp(t, `<meta property="og:image:width" content="\d+">\n<meta property="og:image:height" content="\d+">\n<meta name="twitter:card" content="summary_large_image">`, body)
	s.must(remote.SetSetting, "paperID", shelf, "setting", "description", "value", "All for <gardens>")
	require.Contains(t, s.visit("/shelf/paper/").body, `<meta name="description" content="All for &lt;gardens&gt;">`)
	token := s.must(remote.CreatePreviewToken, "paperID", hidden, "validityMinutes", "60", "ip", "").element(t, "token")
	preview := s.visit("/shelf/unseen/?SecurityToken=" + token)
	require.Equal(t, 200, preview.status)
	require.NotRegexp(t, searchEngines, preview.body)
	require.NotContains(t, preview.body, `id="embed"`)
}

// TestTheSitemapHasWhatIsPublic checks sitemap and robots.txt of tenants, and how they are cached.
func TestTheSitemapHasWhatIsPublic(t *testing.T) {
	t.Parallel()
	s := start(t)
	require.Equal(t, 404, s.visit("/sitemap.xml").status, "nothing is public")
	a := s.category(s.root(), "a")
	s.filled(s.category(a, "deep"), "one")
	s.filled(a, "two")
	s.category(s.root(), "empty")
	s.paper(s.root(), "without-pages")
	s.must(remote.SetPublicationPeriod, "paperID", s.filled(s.category(s.root(), "over"), "three"), "from", "2020-01-01", "to", "2021-01-01")
	s.must(remote.SetPublicationPeriod, "paperID", s.filled(s.root(), "later"), "from", "2090-01-01", "to", "2091-01-01")
	require.NoError(t, s.admin().AddTenant(admin.TenantSettings{Name: "acme", Hosts: []string{"acme.example"}, RootURL: "/acme/"}))
	r := s.visit("/sitemap.xml")
	require.Equal(t, 200, r.status)
	var found []string
	for _, loc := range regexp.MustCompile(`<url><loc>([^<]*)</loc></url>`).FindAllStringSubmatch(r.body, -1) {
		found = append(found, strings.TrimPrefix(loc[1], s.http.URL))
		require.Equal(t, 200, s.visit(found[len(found)-1]).status)
	}
	require.Equal(t, []string{"/", "/a/", "/a/deep/", "/a/deep/one/", "/a/two/"}, found)
	require.Equal(t, "application/xml", r.header.Get("Content-Type"))
	require.Equal(t, "no-cache", r.header.Get("Cache-Control"))
	require.Equal(t, 304, s.get(s.http.URL+"/sitemap.xml", "If-None-Match", r.header.Get("ETag")).status)
	require.Equal(t, 405, s.send("POST", "/sitemap.xml", nil).status)
	require.Equal(t, "User-agent: *\nDisallow: /V2/\nSitemap: "+s.http.URL+"/sitemap.xml\n", s.visit("/robots.txt").body)
	s.filled(s.root(), "robots.txt")
	require.Equal(t, 200, s.visit("/robots.txt/").status, "a paper may have the name")
}
