package rules

import (
	"strings"
	"time"
)

// timeFormats are the formats of SetPublicationPeriod (contract, 3.12).
var timeFormats = []string{
	time.DateTime, "2006-01-02 15:04", time.DateOnly,
	"2006-01-02T15:04:05", "2006-01-02T15:04",
}

// Time reads a date with or without a time of day, in UTC, of the years 1900
// to 9999. Z or +00:00 may follow a time of day, and a fraction that is zero
// its seconds.
func Time(s string) (time.Time, bool) {
	bare, zoned := cutUTC(Trim(s))
	bare = cutZeroFraction(bare)
	for _, format := range timeFormats {
		// Parse would accept a fraction of a second that no format names.
		if len(bare) != len(format) || zoned && format == time.DateOnly {
			continue
		}
		t, err := time.Parse(format, bare)
		if err == nil && t.Year() >= 1900 {
			return t, true
		}
	}
	return time.Time{}, false
}

func cutUTC(s string) (bare string, found bool) {
	for _, zone := range []string{"Z", "+00:00"} {
		if bare, found = strings.CutSuffix(s, zone); found {
			return bare, true
		}
	}
	return s, false
}

// cutZeroFraction removes the zero fraction that JavaScript (.000) and .NET (.0000000)
// write after whole seconds. It leaves any other fraction, which makes the time invalid.
func cutZeroFraction(s string) string {
	if len(s) <= len(time.DateTime)+1 || s[len(time.DateTime)] != '.' || strings.Trim(s[len(time.DateTime)+1:], "0") != "" {
		return s
	}
	return s[:len(time.DateTime)]
}

// FormatTime formats a time as in the service's answers.
func FormatTime(t time.Time) string { return t.UTC().Format(time.DateTime) }

// FormatDay is FormatTime, without the time of day if that is midnight.
func FormatDay(t time.Time) string {
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return FormatTime(t)
}
