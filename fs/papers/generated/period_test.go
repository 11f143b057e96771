package generated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// in loads a time zone. The tests' machine may have none.
func in(t *testing.T, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("no tzdata here: ", err)
	}
	return zone
}

func TestParsePeriod(t *testing.T) {
	for value, want := range map[string]string{
		"2026-12-01T00:00:00Z/2027-02-01T00:00:00Z": "2026-12-01T00:00:00Z/2027-02-01T00:00:00Z",
		"2026-12-01/2027-01-31":                     "2026-12-01T00:00:00Z/2027-02-01T00:00:00Z",
		"2026-12-01/2026-12-01":                     "2026-12-01T00:00:00Z/2026-12-02T00:00:00Z",
		"2026-12-01T06:00:00+01:00/2027-01-31":      "2026-12-01T05:00:00Z/2027-02-01T00:00:00Z",
		"2026-12-01T06:00/2026-12-01T07:00":         "2026-12-01T06:00:00Z/2026-12-01T07:00:00Z",
		"2026-12-01 06:00:00/2026-12-01 07:00:00":   "2026-12-01T06:00:00Z/2026-12-01T07:00:00Z",
		" 2026-12-01 / 2026-12-02 ":                 "2026-12-01T00:00:00Z/2026-12-03T00:00:00Z",
		"":                                          "",
		"  ":                                        "",
		"2026-12-01/":                               "2026-12-01T00:00:00Z/",
		" / 2027-01-31":                             "/2027-02-01T00:00:00Z",
		"2024-02-29/2024-02-29":                     "2024-02-29T00:00:00Z/2024-03-01T00:00:00Z",
		"2026-12-01T23:00:00-02:30/2026-12-02T23:30:00-02:30": "2026-12-02T01:30:00Z/2026-12-03T02:00:00Z",
	} {
		p, err := parsePeriod(value, time.UTC)
		require.NoError(t, err, value)
		assert.Equal(t, want, formatPeriod(p, time.UTC), value)
	}
}

// TestADayBeginsWhereTheClocksChange has days of 23 and 25 hours, a day without a midnight, and one with two.
func TestADayBeginsWhereTheClocksChange(t *testing.T) {
	for _, c := range []struct{ zone, value, want string }{
		{"America/Los_Angeles", "2027-03-10/2027-03-20", "2027-03-10T00:00:00-08:00/2027-03-21T00:00:00-07:00"},
		{"America/Los_Angeles", "2027-03-14/2027-03-14", "2027-03-14T00:00:00-08:00/2027-03-15T00:00:00-07:00"}, // 23 hours
		{"America/Los_Angeles", "2027-11-07/2027-11-07", "2027-11-07T00:00:00-07:00/2027-11-08T00:00:00-08:00"}, // 25 hours
		{"America/Los_Angeles", "2027-07-01 06:30/", "2027-07-01T06:30:00-07:00/"},
		{"Asia/Beirut", "2022-03-27/2022-03-27", "2022-03-27T01:00:00+03:00/2022-03-28T00:00:00+03:00"},      // no midnight
		{"Atlantic/Azores", "2022-10-30/2022-10-30", "2022-10-30T00:00:00Z/2022-10-31T00:00:00-01:00"},       // two
		{"America/Asuncion", "2021-03-27/2021-03-28", "2021-03-27T00:00:00-03:00/2021-03-29T00:00:00-04:00"}, // 24:00 is 23:00
		{"Pacific/Kiritimati", "2027-01-01/2027-01-01", "2027-01-01T00:00:00+14:00/2027-01-02T00:00:00+14:00"},
	} {
		p, err := parsePeriod(c.value, in(t, c.zone))
		require.NoError(t, err, c.value)
		assert.Equal(t, c.want, formatPeriod(p, in(t, c.zone)), c.value)
		assert.Equal(t, p, testrun.Must(parsePeriod(c.want, time.UTC))(t), "%s means the same in another zone", c.want)
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	for _, value := range []string{
		"2026-12-01", "2027-01-31/2026-12-01", "2026-12-01T06:00:00Z/2026-12-01T06:00:00Z", "2026-13-01/2027-01-01",
		"2026-02-29/2027-01-01", "31/12/2031", "12/31/2031", "tomorrow/2027-01-01", "/", " / ", "1899-12-31/1900-01-02",
		"2026-12-01T06:00:00.5Z/2027-01-01", "9999-12-31/9999-12-31", "2026-12-01/2026-12-02/2026-12-03",
	} {
		_, err := parsePeriod(value, time.UTC)
		assert.Error(t, err, value)
	}
}

func TestPeriodsAreReadAsTheyAreShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		from := rapid.Int64Range(first, first+8000*365*86400).Draw(t, "from")
		p := remote.Period{From: time.Unix(from, 0).UTC(), To: time.Unix(from+rapid.Int64Range(1, 1<<31).Draw(t, "length"), 0).UTC()}
		got, err := parsePeriod(formatPeriod(p, time.UTC), time.UTC)
		require.NoError(t, err)
		require.Equal(t, p, got)
	})
}

func FuzzParsePeriod(f *testing.F) {
	f.Add("2026-12-01/2027-01-31")
	f.Add("2026-12-01T00:00+05:30/2027-01-31")
	f.Fuzz(func(t *testing.T, value string) {
		p, err := parsePeriod(value, in(t, "America/Los_Angeles"))
		if err != nil || p.IsZero() {
			return
		}
		if !p.From.Before(p.To) {
			t.Fatalf("%q: from %v is not before to %v", value, p.From, p.To)
		}
	})
}
