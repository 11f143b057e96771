package apitest

import (
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// byPage returns the answer about a paper's views by page, and the address of their page below the service.
func (s *stand) byPage(from, to string) (pages, address string) {
	s.t.Helper()
	data := s.must(remote.GetNumberOfPageviewsPerPage, "paperID", s.paper, "from", from, "to", to).data
	begin, rest, _ := strings.Cut(data, `address="`)
	address, rest, _ = strings.Cut(rest, `"`)
	require.True(s.t, strings.HasPrefix(address, s.http.URL), address)
	return strings.Join(strings.Fields(begin+rest), " "), html.UnescapeString(strings.TrimPrefix(address, s.http.URL))
}

// TestViewsByPage checks that each page of a paper has its number, also without views and of a page that it does not have
// any more.
func TestViewsByPage(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	s.looked("1,3,3", "new", "true")
	s.at.Add(24 * 60 * 60)
	s.looked("3")
	s.reopen()
	pages, _ := s.byPage("2031-05-01", "2031-05-31")
	require.Equal(t, `<pageviews > <page number="1" views="1" /> <page number="2" views="0" /> <page number="3" views="3" /></pageviews>`, pages)
	pages, _ = s.byPage("2031-05-05", "2031-05-05")
	require.Contains(t, pages, `number="3" views="1"`)
	require.Contains(t, pages, `number="1" views="0"`)
	s.process(s.paper, pdftest.Text("One"), "")
	pages, _ = s.byPage("2031-05-01", "2031-05-31")
	require.Equal(t, `<pageviews > <page number="1" views="1" /> <page number="3" views="3" /></pageviews>`, pages)
}

// TestStatisticsAreTheirOwners checks that only the signed address opens the page of the views, also of a paper that is not
// published, until it expires; and that no cache keeps it.
func TestStatisticsAreTheirOwners(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	s.looked("1,3,3", "new", "true")
	s.reopen()
	_, at := s.byPage("2031-05-04", "2031-05-04")
	file, query, _ := strings.Cut(at, "?")
	token := s.must(remote.CreatePreviewToken, "paperID", s.paper, "validityMinutes", "60", "ip", "").element(t, "token")
	s.server.paper(s.root(), "summer")
	for what, path := range map[string]string{
		"no signature": file, "a preview": file + "?SecurityToken=" + token, "altered": at + "x", "later": strings.Replace(at, "Expires=", "Expires=9", 1),
		"of another paper": "/summer/Statistics.ashx?" + query, "of a category": "/Statistics.ashx?" + query, "of none": "/autumn/Statistics.ashx?" + query,
	} {
		r := s.visit(path)
		require.Equal(t, http.StatusNotFound, r.status, what)
		require.NotContains(t, r.body, "<table", what)
	}
	s.must(remote.SetPublicationPeriod, "paperID", s.paper, "from", "2031-06-01 00:00:00", "to", "2031-07-01 00:00:00")
	require.Equal(t, http.StatusNotFound, s.visit("/spring/").status)
	r := s.visit(at)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "private, no-store", r.header.Get("Cache-Control"))
	require.Equal(t, "no-referrer", r.header.Get("Referrer-Policy"))
	require.Empty(t, r.header.Values("Set-Cookie"))
	require.Empty(t, r.header.Get("ETag"))
	require.NotContains(t, r.body, "<script")
	require.Contains(t, r.body, `name="robots" content="noindex"`)
	require.Contains(t, r.body, "<dd>3</dd>")
	require.Contains(t, r.body, "May 2031")
	require.Contains(t, s.visit(at+"&ForceLanguage=es").body, "Mayo de 2031")
	_, picture, _ := strings.Cut(r.body, `<img src="`)
	picture, _, _ = strings.Cut(picture, `"`)
	require.Equal(t, http.StatusOK, s.visit("/spring/"+html.UnescapeString(picture)).status, "pages have pictures, though they are not published")

	april := s.visit(at + "&Month=2031-04")
	require.Contains(t, april.body, "<dd>0</dd>")
	require.Contains(t, april.body, "Month=2031-05")
	require.Contains(t, april.body, "Month=2031-03")
	require.Equal(t, r.body, s.visit(at+"&Month=2031-06").body, "a month that has not begun is this one")
	require.Equal(t, r.body, s.visit(at+"&Month=x").body)
	require.NotContains(t, s.visit(at+"&Month=2000-01").body, "Month=1999")
	req, err := http.NewRequest(http.MethodHead, s.http.URL+at, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, s.do(req).status)
	req = testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+at, nil))(t)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)

	s.at.Add(int64(25 * time.Hour / time.Second))
	r = s.visit(at)
	require.Equal(t, http.StatusUnauthorized, r.status)
	require.NotContains(t, r.body, "<table")
	_, at = s.byPage("2031-05-04", "2031-05-04")
	require.Equal(t, http.StatusOK, s.visit(at).status)
	s.must(remote.DeletePaper, "paperID", s.paper)
	require.Equal(t, http.StatusNotFound, s.visit(at).status)
}
