package generated

import (
	"fmt"
	"strings"
	"time"

	"paperfs/remote"
)

// publicity says who can read a paper with the period p: everybody ("public"), nobody yet,
// nobody any more ("over") or, if the period ends before it begins, nobody at any time.
// paperfs never sets such a period, but a service may return one.
func publicity(p remote.Period, now time.Time) string {
	switch {
	case !p.IsZero() && !p.From.Before(p.To):
		return "nobody"
	case p.IsZero() || !now.Before(p.From) && now.Before(p.To):
		return "public"
	case now.Before(p.From):
		return "not yet"
	}
	return "over"
}

// formatPeriod returns a period as FROM/TO in UTC, and the zero period as "".
func formatPeriod(p remote.Period) string {
	if p.IsZero() {
		return ""
	}
	return p.From.UTC().Format(time.RFC3339) + "/" + p.To.UTC().Format(time.RFC3339)
}

// parsePeriod parses FROM/TO. Bare dates are UTC days, and a bare end date includes its day.
// Times without an offset are UTC. A blank value is the zero Period, which clears.
func parsePeriod(value string) (remote.Period, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return remote.Period{}, nil
	}
	first, last, ok := strings.Cut(value, "/")
	if !ok {
		return remote.Period{}, fmt.Errorf("%q is not an interval: write FROM/TO, such as 2026-12-01/2027-01-31", value)
	}
	from, _, err := parseMoment(first)
	if err != nil {
		return remote.Period{}, err
	}
	to, bare, err := parseMoment(last)
	if err != nil {
		return remote.Period{}, err
	}
	if bare {
		to = to.AddDate(0, 0, 1)
	}
	switch {
	case !from.Before(to):
		return remote.Period{}, fmt.Errorf("the period %q ends before it begins", value)
	case from.Year() < 1900 || to.Year() > 9999:
		return remote.Period{}, fmt.Errorf("the period %q is outside the years 1900 to 9999", value)
	}
	return remote.Period{From: from, To: to}, nil
}

// moments are the layouts of a point in time, to the second. The service accepts fewer
// (remote/rules): none with an offset from UTC.
var moments = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
}

// parseMoment parses one end of a period; bare is true for a date without a time.
func parseMoment(text string) (moment time.Time, bare bool, err error) {
	text = strings.TrimSpace(text)
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, true, nil
	}
	joined := text
	if len(text) > 10 && text[10] == ' ' {
		joined = text[:10] + "T" + text[11:]
	}
	for _, layout := range moments {
		// The layouts have no fraction, but parsePeriod would accept one.
		if t, err := time.Parse(layout, joined); err == nil && t.Nanosecond() == 0 {
			return t.UTC(), false, nil
		}
	}
	return time.Time{}, false, fmt.Errorf("%q is not a date: write 2026-12-01 or 2026-12-01T06:00:00Z", text)
}
