package generated

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
)

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
		"2024-02-29/2024-02-29":                     "2024-02-29T00:00:00Z/2024-03-01T00:00:00Z",
		"2026-12-01T23:00:00-02:30/2026-12-02T23:30:00-02:30": "2026-12-02T01:30:00Z/2026-12-03T02:00:00Z",
	} {
		p, err := parsePeriod(value)
		require.NoError(t, err, value)
		assert.Equal(t, want, formatPeriod(p), value)
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	for _, value := range []string{
		"2026-12-01", "2027-01-31/2026-12-01", "2026-12-01T06:00:00Z/2026-12-01T06:00:00Z", "2026-13-01/2027-01-01",
		"2026-02-29/2027-01-01", "31/12/2031", "12/31/2031", "tomorrow/2027-01-01", "/", "2026-12-01/", "1899-12-31/1900-01-02",
		"2026-12-01T06:00:00.5Z/2027-01-01", "9999-12-31/9999-12-31", "2026-12-01/2026-12-02/2026-12-03",
	} {
		_, err := parsePeriod(value)
		assert.Error(t, err, value)
	}
}

func TestPeriodsAreReadAsTheyAreShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		from := rapid.Int64Range(first, first+8000*365*86400).Draw(t, "from")
		p := remote.Period{From: time.Unix(from, 0).UTC(), To: time.Unix(from+rapid.Int64Range(1, 1<<31).Draw(t, "length"), 0).UTC()}
		got, err := parsePeriod(formatPeriod(p))
		require.NoError(t, err)
		require.Equal(t, p, got)
	})
}

func FuzzParsePeriod(f *testing.F) {
	f.Add("2026-12-01/2027-01-31")
	f.Add("2026-12-01T00:00+05:30/2027-01-31")
	f.Fuzz(func(t *testing.T, value string) {
		p, err := parsePeriod(value)
		if err != nil || p.IsZero() {
			return
		}
		if !p.From.Before(p.To) {
			t.Fatalf("%q: from %v is not before to %v", value, p.From, p.To)
		}
	})
}
