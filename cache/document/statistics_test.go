package document

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStatisticsOfMonths checks that a month has statistics once it has begun, in UTC; that
// the current month ends today, and a past one is complete; and that they cost two requests,
// and none while they are cached.
func TestStatisticsOfMonths(t *testing.T) {
	f := newFixture(t)
	f.now = time.Date(2028, 1, 31, 23, 59, 59, 0, time.FixedZone("", -3600)) // February in UTC
	for text, ok := range map[string]bool{"2028-02": true, "2028-03": false, "2000-01": true, "1999-12": false, "2028-2": false, "2028-13": false, "2028-02-01": false, "": false, "all": false, "+2028-02": false} {
		_, is := f.Month(text)
		require.Equal(t, ok, is, text)
	}
	lines := func(text string) []string {
		month, ok := f.Month(text)
		require.True(t, ok)
		csv, err := f.Statistics(t.Context(), 4, month)
		require.NoError(t, err)
		return strings.Split(string(csv), "\n")
	}
	require.Equal(t, []string{"date,pageviews,visitors", "2028-02-01,9,2", ""}, lines("2028-02"))
	_, known := f.Known(DocStatistics, 4, "2028-02")
	require.True(t, known)
	january := lines("2028-01")
	require.Len(t, january, 1+31+1)
	require.Equal(t, []string{"2028-01-01,7,0", "2028-01-02,0,0", "2028-01-31,9,2"}, []string{january[1], january[2], january[31]})
	require.Equal(t, january, lines("2028-01"))
	f.now = f.now.AddDate(0, 1, 0)
	require.Len(t, lines("2028-02"), 1+29+1)
	require.Equal(t, 3, f.service.calls["GetNumberOfPageviewsPerDay"])
	require.Equal(t, 3, f.service.calls["GetNumberOfVisitorsPerDay"])
	f.remount(t, "")
	require.Len(t, lines("2028-02"), 1+29+1)
	require.Equal(t, 3, f.service.calls["GetNumberOfVisitorsPerDay"], "also after a remount")
}

// TestStatisticsByPage checks that the views of a month by page, and the clicks by link, cost one request, and none while they are cached, and
// that the address of the page that shows them, which expires, is asked for each time.
func TestStatisticsByPage(t *testing.T) {
	f := newFixture(t)
	f.now = time.Date(2028, 2, 3, 12, 0, 0, 0, time.UTC)
	for text, n := range map[string][2]string{"2028-02": {"3", "6"}, "2028-01": {"31", "62"}} {
		month, ok := f.Month(text)
		require.True(t, ok)
		for range 2 {
			csv, err := f.PageStatistics(t.Context(), 4, month, PagesOf)
			require.NoError(t, err)
			require.Equal(t, "page,pageviews\n1,"+n[0]+"\n2,0\n", string(csv))
			csv, err = f.PageStatistics(t.Context(), 4, month, LinksOf)
			require.NoError(t, err)
			require.Equal(t, `page,link,clicks
2,"https://example.org/?a=""1"", 2",`+n[1]+"\n", string(csv))
		}
	}
	require.Equal(t, 4, f.service.calls["GetNumberOfPageviewsPerPage"])
	_, known := f.Known(DocStatistics, 4, "2028-02"+PagesOf)
	require.True(t, known)
	_, known = f.Known(DocStatistics, 4, "2028-02")
	require.False(t, known, "by day is another document")
	for range 2 {
		address, err := f.StatisticsAddress(t.Context(), 4)
		require.NoError(t, err)
		require.Equal(t, "http://h/4", address)
	}
	require.Equal(t, 6, f.service.calls["GetNumberOfPageviewsPerPage"])
}
