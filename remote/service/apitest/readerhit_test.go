package apitest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// stand is a service with a paper of three pages and a clock that the test sets.
type stand struct {
	*server
	paper string
	at    *atomic.Int64 // seconds
}

func openStand(t *testing.T, change ...func(*service.Options)) *stand {
	at := &atomic.Int64{}
	at.Store(clock.Unix())
	s := start(t, append(change, func(o *service.Options) { o.Now = func() time.Time { return time.Unix(at.Load(), 0) } })...)
	paper := s.paper(s.root(), "spring")
	s.process(paper, pdftest.Document([]pdftest.Sheet{{Text: "One"}, {Text: "Two"}, {Text: "Three"}}), "")
	return &stand{s, paper, at}
}

// hit posts the pages that a reader has viewed; header pairs replace those of a browser.
func (s *stand) hit(path string, form url.Values, header ...string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+path, strings.NewReader(form.Encode())))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return s.do(req)
}

// looked counts views of pages.
func (s *stand) looked(pages string, more ...string) {
	s.t.Helper()
	r := s.hit("/spring/Hit.ashx", params(append([]string{"pages", pages}, more...)...))
	require.Equal(s.t, 204, r.status, r.body)
	require.Empty(s.t, r.header.Values("Set-Cookie"))
	require.Equal(s.t, "no-store", r.header.Get("Cache-Control"))
}

// counted returns the views and visitors of each day on which there were any.
func (s *stand) counted(from, to string) string {
	s.t.Helper()
	about := []string{"paperID", s.paper, "from", from, "to", to}
	var b strings.Builder
	for _, op := range []*remote.Operation{remote.GetNumberOfPageviewsPerDay, remote.GetNumberOfVisitorsPerDay} {
		for _, line := range strings.Split(s.must(op, about...).data, "<day ")[1:] {
			var date string
			var n int
			fields := strings.Split(line, `"`)
			date = fields[1]
			testrun.Must(fmt.Sscan(fields[3], &n))(s.t)
			if n > 0 {
				fmt.Fprintf(&b, "%s %s%d, ", date, strings.TrimSpace(fields[2])[:1], n)
			}
		}
	}
	return b.String() + s.must(remote.GetNumberOfVisitors, about...).data
}

// TestViewsAreCounted checks that views count by UTC day, that the end of the service loses
// none, and that a paper keeps its numbers when it moves.
func TestViewsAreCounted(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	s.looked("1", "new", "true")
	s.looked("2,3")
	s.looked("2,3", "new", "")
	s.looked("1,2", "new", "true")
	s.at.Store(time.Date(2031, 5, 4, 23, 59, 59, 0, time.UTC).Unix())
	s.looked("3")
	s.at.Add(1) // midnight
	s.looked("3")
	s.at.Store(time.Date(2031, 5, 31, 23, 59, 59, 0, time.UTC).Unix())
	s.looked("1", "new", "true")
	s.at.Add(1)
	s.looked("1,1")
	s.reopen()
	const visitors = `<visitors count="%d" />`
	require.Equal(t, "2031-05-04 v8, 2031-05-05 v1, 2031-05-31 v1, 2031-05-04 v2, 2031-05-31 v1, "+fmt.Sprintf(visitors, 3), s.counted("2031-05-01", "2031-05-31"))
	require.Equal(t, "2031-06-01 v2, "+fmt.Sprintf(visitors, 0), s.counted("2031-06-01", "2031-06-30"))
	s.looked("1", "new", "true")
	s.must(remote.ChangePaperUrl, "paperID", s.paper, "newUrl", "summer")
	s.reopen()
	require.Equal(t, "2031-06-01 v3, 2031-06-01 v1, "+fmt.Sprintf(visitors, 1), s.counted("2031-06-01", "2031-06-01"))
	views := s.must(remote.GetNumberOfPageviewsPerDay, "paperID", s.paper, "from", "2031-05-31", "to", "2031-06-02")
	require.Empty(t, views.words)
	require.Equal(t, `<pageviews> <day date="2031-05-31" views="1" /> <day date="2031-06-01" views="3" /> <day date="2031-06-02" views="0" /></pageviews>`, strings.Join(strings.Fields(views.data), " "))
}

// TestStatisticsRefused checks invalid days and an unknown paper.
func TestStatisticsRefused(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	for _, op := range []*remote.Operation{remote.GetNumberOfPageviewsPerDay, remote.GetNumberOfVisitorsPerDay, remote.GetNumberOfVisitors} {
		for _, c := range []struct {
			paper, from, to string
			code            remote.Code
		}{
			{s.paper, "2031-05-04", "2031-05-03", remote.Failure},
			{s.paper, "2031-05-32", "2031-06-03", remote.Failure},
			{s.paper, "2031-5-3", "2031-06-03", remote.Failure},
			{s.paper, "", "2031-06-03", remote.Failure},
			{s.paper, "2031-05-04 00:00:00", "2031-06-03", remote.Failure},
			{s.paper, "2021-05-04", "2031-05-12", remote.Failure}, // 3661 days
			{"x", "2031-05-04", "2031-05-04", remote.Failure},
			{"99999", "2031-05-04", "2031-05-04", remote.PaperDoesNotExist},
			{s.root(), "2031-05-04", "2031-05-04", remote.PaperMustNotBeCategory},
		} {
			require.Equal(t, c.code, s.call(op, "paperID", c.paper, "from", c.from, "to", c.to).code, "%s %v", op.Name, c)
		}
		s.must(op, "paperID", s.paper, "from", " 2021-05-04 ", "to", "2031-05-11")
	}
}

// TestViewsThatAreNotCounted checks that the service does not count previews, hits from other sites or
// programs, pages that the paper lacks, and requests that no page sends, and that a hidden paper
// gets 404.
func TestViewsThatAreNotCounted(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	one := params("pages", "1", "new", "true")
	token := s.must(remote.CreatePreviewToken, "paperID", s.paper, "validityMinutes", "60", "ip", "").element(t, "token")
	for _, c := range []struct {
		what   string
		path   string
		form   url.Values
		status int
		header []string
	}{
		{"a preview", "/spring/Hit.ashx?SecurityToken=" + token, one, 403, nil},
		{"an invalid token", "/spring/Hit.ashx?SecurityToken=x", one, 404, nil},
		{"another site", "/spring/Hit.ashx", one, 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{"a sister site", "/spring/Hit.ashx", one, 403, []string{"Sec-Fetch-Site", "same-site"}},
		{"another origin", "/spring/Hit.ashx", one, 403, []string{"Sec-Fetch-Site", "", "Origin", "https://evil.example"}},
		{"no origin", "/spring/Hit.ashx", one, 403, []string{"Sec-Fetch-Site", ""}},
		{"no form", "/spring/Hit.ashx", one, 415, []string{"Content-Type", "text/plain"}},
		{"too large", "/spring/Hit.ashx", params("pages", "1", "x", strings.Repeat("x", 16<<10)), 413, nil},
		{"too many", "/spring/Hit.ashx", params("pages", strings.Repeat("1,", 100)+"1"), 422, nil},
		{"page 0", "/spring/Hit.ashx", params("pages", "1,0"), 422, nil},
		{"no pages", "/spring/Hit.ashx", params("new", "true"), 422, nil},
		{"no number", "/spring/Hit.ashx", params("pages", "1,x"), 422, nil},
		{"no flag", "/spring/Hit.ashx", params("pages", "1", "new", "perhaps"), 422, nil},
		{"not there", "/summer/Hit.ashx", one, 404, nil},
		{"a category", "/Hit.ashx", one, 404, nil},
		{"pages that do not exist", "/spring/Hit.ashx", params("pages", "4,2147483647", "new", "true"), 204, nil},
	} {
		require.Equal(t, c.status, s.hit(c.path, c.form, c.header...).status, c.what)
	}
	require.Equal(t, 204, s.hit("/spring/hit.ASHX", params("pages", "2,4"), "Sec-Fetch-Site", "", "Origin", s.http.URL).status, "a hit of a browser on plain http")
	require.Equal(t, 405, s.visit("/spring/Hit.ashx").status)
	require.Equal(t, 404, s.visit("/summer/Hit.ashx").status)
	s.must(remote.SetPublicationPeriod, "paperID", s.paper, "from", "2031-05-05 00:00:00", "to", "2031-05-06 00:00:00")
	require.Equal(t, 404, s.hit("/spring/Hit.ashx", one).status, "not published yet")
	require.Equal(t, 404, s.visit("/spring/Hit.ashx").status)
	s.reopen()
	require.Equal(t, `2031-05-04 v1, <visitors count="0" />`, s.counted("2031-05-01", "2031-05-31"))
}

// TestAFloodIsNotCounted checks that the views that an address can add per minute are bounded.
func TestAFloodIsNotCounted(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	many := params("pages", strings.TrimSuffix(strings.Repeat("1,", 99), ","))
	for range 12 {
		require.Equal(t, 204, s.hit("/spring/Hit.ashx", many).status)
	}
	r := s.hit("/spring/Hit.ashx", params("pages", "1"))
	require.Equal(t, 429, r.status)
	require.Equal(t, "60", r.header.Get("Retry-After"))
	s.at.Add(60)
	s.looked("1")
	s.reopen()
	require.Equal(t, `2031-05-04 v1189, <visitors count="0" />`, s.counted("2031-05-01", "2031-05-31"))
}

// TestCountingChangesNoPage checks that cached pages and trees stay valid.
func TestCountingChangesNoPage(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	tag := s.visit("/spring/").header.Get("ETag")
	require.NotEmpty(t, tag)
	shelf := s.visit("/")
	tree := s.must(remote.GetAllPapers, "paperID", s.root()).header.Get("ETag")
	s.looked("1,2,3", "new", "true")
	s.service.Drain() // writes the counts now
	require.Eventually(t, func() bool { return strings.Contains(s.counted("2031-05-04", "2031-05-04"), " v3") }, testrun.Patience(), time.Millisecond)
	require.Equal(t, tag, s.visit("/spring/").header.Get("ETag"))
	require.Equal(t, shelf.body, s.visit("/").body)
	require.Equal(t, tree, s.must(remote.GetAllPapers, "paperID", s.root()).header.Get("ETag"))
}

// TestAMaintenanceWindowHoldsWhatWasCounted checks that no count is written during a maintenance
// window, and that all are written after it.
func TestAMaintenanceWindowHoldsWhatWasCounted(t *testing.T) {
	t.Parallel()
	s := openStand(t)
	window := func(on bool) {
		require.NoError(t, s.admin().SetReadOnly(on))
	}
	window(true)
	s.looked("1,2", "new", "true")
	s.service.Drain() // requests a write
	require.Equal(t, `<visitors count="0" />`, s.counted("2031-05-04", "2031-05-04"))
	window(false)
	s.reopen()
	require.Equal(t, `2031-05-04 v2, 2031-05-04 v1, <visitors count="1" />`, s.counted("2031-05-04", "2031-05-04"))
}
