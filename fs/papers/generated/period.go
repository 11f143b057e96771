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

// An open end of a period is the first or the last second that a service takes: the contract has no other (3.12).
var (
	always = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	never  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// formatPeriod returns a period as FROM/TO with the offsets that zone has then, so that the text means the same everywhere. An
// open end is empty, and so is the zero period.
func formatPeriod(p remote.Period, zone *time.Location) string {
	if p.IsZero() {
		return ""
	}
	from, to := p.From.In(zone).Format(time.RFC3339), p.To.In(zone).Format(time.RFC3339)
	if p.From.Equal(always) {
		from = ""
	}
	if p.To.Equal(never) {
		to = ""
	}
	return from + "/" + to
}

// parsePeriod parses FROM/TO, of which one end may be empty. Bare dates are calendar days in zone, and a bare end date
// includes its day. Times without an offset are zone's. A blank value is the zero Period, which clears.
func parsePeriod(value string, zone *time.Location) (remote.Period, error) {
	value = strings.TrimSpace(value)
	if value == "" {
		return remote.Period{}, nil
	}
	first, last, ok := strings.Cut(value, "/")
	first, last = strings.TrimSpace(first), strings.TrimSpace(last)
	if !ok || first+last == "" {
		return remote.Period{}, fmt.Errorf("%q is not an interval: write FROM/TO, such as 2026-12-01/2027-01-31", value)
	}
	p := remote.Period{From: always, To: never}
	var err error
	if first != "" {
		if p.From, err = parseMoment(first, zone, 0); err != nil {
			return remote.Period{}, err
		}
	}
	if last != "" {
		if p.To, err = parseMoment(last, zone, 1); err != nil {
			return remote.Period{}, err
		}
	}
	switch {
	case !p.From.Before(p.To):
		return remote.Period{}, fmt.Errorf("the period %q ends before it begins", value)
	case p.From.Before(always) || p.To.After(never):
		return remote.Period{}, fmt.Errorf("the period %q is outside the years 1900 to 9999", value)
	}
	return p, nil
}

// moments are the layouts of a point in time, to the second. The service accepts fewer
// (remote/rules): none with an offset from UTC.
var moments = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
}

// parseMoment parses one end of a period. A date without a time is the beginning of the day that comes days later in zone.
func parseMoment(text string, zone *time.Location, days int) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return midnight(day.AddDate(0, 0, days), zone), nil
	}
	joined := text
	if len(text) > 10 && text[10] == ' ' {
		joined = text[:10] + "T" + text[11:]
	}
	for _, layout := range moments {
		// The layouts have no fraction, but Parse would accept one.
		if t, err := time.ParseInLocation(layout, joined, zone); err == nil && t.Nanosecond() == 0 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date: write 2026-12-01 or 2026-12-01T06:00:00Z", text)
}

// midnight returns when a day begins in zone. Where the clocks change at midnight, that is the first midnight, or there is
// none and the day begins with the change; time.Date promises neither.
func midnight(day time.Time, zone *time.Location) time.Time {
	noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone)
	change, _ := noon.ZoneBounds()
	_, offset := noon.Zone()
	begin := day.Add(-time.Duration(offset) * time.Second)
	if change.IsZero() || begin.After(change) {
		return begin
	}
	_, offset = change.Add(-time.Second).In(zone).Zone()
	if before := day.Add(-time.Duration(offset) * time.Second); before.Before(change) {
		return before
	}
	return change.UTC()
}
