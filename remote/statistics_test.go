package remote

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
