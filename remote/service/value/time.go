package value

import "time"

const timeFormat = "2006-01-02 15:04:05"

// timeFormats are those of SetPublicationPeriod (contract, 3.12).
var timeFormats = []string{
	timeFormat, "2006-01-02 15:04", "2006-01-02",
	"2006-01-02T15:04:05", "2006-01-02T15:04",
}

// zones may follow all formats but the bare date.
var zones = []string{"", "Z", "+00:00"}

// Time reads a date with or without a time of day, in UTC, of the years 1900
// to 9999.
func Time(s string) (time.Time, bool) {
	s = Trim(s)
	for _, format := range timeFormats {
		for _, zone := range zones {
			if zone != "" && len(format) == len("2006-01-02") {
				continue
			}
			// Parse would take a fraction of a second that no format names.
			if len(s) != len(format)+len(zone) || s[len(format):] != zone {
				continue
			}
			t, err := time.Parse(format, s[:len(format)])
			if err == nil && t.Year() >= 1900 {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// FormatTime writes a time as answers do.
func FormatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// FormatDay is FormatTime without a time of day that is midnight.
func FormatDay(t time.Time) string {
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format("2006-01-02")
	}
	return FormatTime(t)
}
