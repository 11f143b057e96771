package remote

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// TestDaysThatAreNone checks that an invalid day fails the whole call, instead of being left out.
func TestDaysThatAreNone(t *testing.T) {
	t.Parallel()
	const good = `<day date="2031-05-04" views="3" visitors="2"/>`
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for record, ok := range map[string]bool{
		"": true, `<month date="x"/>`: true,
		`<day date="2031-05-05" views="-1" visitors="-1"/>`: false, `<day date="2031-05-05"/>`: false,
		`<day date="4.5.2031" views="1" visitors="1"/>`: false, `<day views="1" visitors="1"/>`: false, `<day date="" views="1" visitors="1"/>`: false,
	} {
		_, c := serve(t, answers(result(Success, "<days>"+record+good+"</days>")))
		views, err := c.GetNumberOfPageviewsPerDay(t.Context(), 7, day, day)
		visitors, alsoErr := c.GetNumberOfVisitorsPerDay(t.Context(), 7, day, day)
		if !ok {
			fails(t, err, Broken)
			fails(t, alsoErr, Broken)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, alsoErr)
		require.Equal(t, []DayCount{{day, 3}}, views, record)
		require.Equal(t, []DayCount{{day, 2}}, visitors, record)
	}
}

// TestPagesThatAreNone checks that an invalid page fails the whole call.
func TestPagesThatAreNone(t *testing.T) {
	t.Parallel()
	const good = `<page number="2" views="3"/>`
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for record, ok := range map[string]bool{
		"": true, `<cover views="x"/>`: true,
		`<page number="1"/>`: false, `<page views="1"/>`: false, `<page number="0" views="1"/>`: false, `<page number="1" views="-1"/>`: false,
	} {
		_, c := serve(t, answers(result(Success, `<pageviews address="a">`+record+good+"</pageviews>")))
		pages, address, err := c.GetNumberOfPageviewsPerPage(t.Context(), 7, day, day)
		if !ok {
			fails(t, err, Broken)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "a", address)
		require.Equal(t, []PageCount{{2, 3}}, pages, record)
	}
}

// TestPageviewsAreAskedForWhereTheyAreOffered checks that a service that has said what it offers is not asked for more.
func TestPageviewsAreAskedForWhereTheyAreOffered(t *testing.T) {
	t.Parallel()
	day := time.Date(2031, 5, 4, 0, 0, 0, 0, time.UTC)
	for offers, asks := range map[string]int{OfferVersions: 1, OfferVersions + ", " + OfferPages: 2} {
		s, c := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(OffersHeader, offers)
			_, _ = io.WriteString(w, result(Success, "<pageviews/>"))
		})
		testrun.Must(c.GetNumberOfPageviewsPerDay(t.Context(), 7, day, day))(t)
		_, _, err := c.GetNumberOfPageviewsPerPage(t.Context(), 7, day, day)
		if asks == 1 {
			fails(t, err, NotOffered)
		}
		require.Len(t, s.requests(), asks, offers)
	}
}
