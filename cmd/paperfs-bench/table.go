package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// table collects the time of each peer for each piece of work.
type table struct {
	peers, work []string // in the order of arrival
	cells       map[[2]string]*cell
	peak        map[string][2]int // of the mount and of the server, in MiB
	skipped     []string
	failures    []string
}

type cell struct {
	times     []time.Duration
	returned  []time.Duration // until the program ended; empty if not measured
	processor []time.Duration // of all processes; empty if not measured
	note      string          // of the last run
	failed    bool
	absent    bool
}

func newTable(skipped []string) *table {
	return &table{cells: map[[2]string]*cell{}, peak: map[string][2]int{}, skipped: skipped}
}

func (t *table) skip(peer string, err error) {
	t.skipped = append(t.skipped, fmt.Sprintf("%s: cannot be set up: %v", peer, err))
}

func (t *table) add(peer, work string, took time.Duration, err error) {
	if !slices.Contains(t.peers, peer) {
		t.peers = append(t.peers, peer)
	}
	if !slices.Contains(t.work, work) {
		t.work = append(t.work, work)
	}
	c := t.cells[[2]string{peer, work}]
	if c == nil {
		c = &cell{}
		t.cells[[2]string{peer, work}] = c
	}
	switch {
	case errors.Is(err, errNotHere):
		c.absent = true
	case err != nil:
		c.failed = true
		t.failures = append(t.failures, fmt.Sprintf("%s, %s: %v", peer, work, err))
	default:
		c.times = append(c.times, took)
	}
}

// addMore records further times of work that is in the table.
func (t *table) addMore(peer, work string, more took) {
	if c := t.cells[[2]string{peer, work}]; !c.absent && !c.failed {
		c.returned = append(c.returned, more.returned)
		c.processor = append(c.processor, more.processor)
	}
}

func (t *table) addNote(peer, work, note string) { t.cells[[2]string{peer, work}].note = note }

// memory records the peak memory of a peer's processes.
func (t *table) memory(peer string, at *place) {
	peak := t.peak[peer]
	t.peak[peer] = [2]int{max(peak[0], peakMemory(at.mount)), max(peak[1], peakMemory(at.server))}
}

// peakMemory sums up the processes' peaks, in MiB; 0 if unknown.
func peakMemory(processes []*process) int {
	total := 0
	for _, p := range processes {
		kB, err := p.status("VmHWM")
		if err != nil {
			return 0
		}
		total += kB
	}
	return (total + 512) / 1024
}

// write prints the table; ratios are relative to the peer called unit.
func (t *table) write(w io.Writer, unit string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| |")
	for _, work := range t.work {
		fmt.Fprintf(&b, " %s |", work)
	}
	b.WriteString(" peak MiB, mount / server |\n|---|" + strings.Repeat("---|", len(t.work)+1) + "\n")
	for _, peer := range t.peers {
		fmt.Fprintf(&b, "| %s |", peer)
		for _, work := range t.work {
			fmt.Fprintf(&b, " %s |", t.cells[[2]string{peer, work}].show(t.cells[[2]string{unit, work}]))
		}
		fmt.Fprintf(&b, " %s / %s |\n", mebibytesOr(t.peak[peer][0]), mebibytesOr(t.peak[peer][1]))
	}
	fmt.Fprintf(&b, "\nMedian (least to most) in seconds; × is the ratio to %s, run by run.\n", unit)
	for _, line := range t.skipped {
		fmt.Fprintf(&b, "\nSkipped %s\n", line)
	}
	for _, line := range t.failures {
		fmt.Fprintf(&b, "\nFailed %s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	if err == nil && len(t.failures) > 0 {
		err = fmt.Errorf("%d pieces of work failed", len(t.failures))
	}
	return err
}

func mebibytesOr(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func (c *cell) show(unit *cell) string {
	switch {
	case c == nil || c.absent:
		return "-"
	case c.failed || len(c.times) == 0:
		return "failed"
	}
	if unit == nil || unit.failed {
		unit = &cell{}
	}
	m := median(c.times)
	text := fmt.Sprintf("%.3f (%.3f to %.3f)%s", m.Seconds(), slices.Min(c.times).Seconds(), slices.Max(c.times).Seconds(), ratios(c.times, unit.times))
	if len(c.processor) > 0 {
		text += fmt.Sprintf("; processor %.2f%s", median(c.processor).Seconds(), ratios(c.processor, unit.processor))
	}
	if len(c.returned) > 0 && median(c.returned) <= m*9/10 {
		text += fmt.Sprintf("; the program ended after %.3f%s", median(c.returned).Seconds(), ratios(c.returned, unit.times))
	}
	if c.note != "" {
		text += "; " + c.note
	}
	return text
}

// ratios formats times as multiples of the unit's, run by run: the median, minimum and
// maximum. If the speed of the machine drifts, both times of a run change.
func ratios(times, unit []time.Duration) string {
	var all []float64
	for i := range min(len(times), len(unit)) {
		if unit[i] > 0 {
			all = append(all, times[i].Seconds()/unit[i].Seconds())
		}
	}
	if len(all) == 0 {
		return ""
	}
	text := fmt.Sprintf(", × %.2f", median(all))
	if least, most := slices.Min(all), slices.Max(all); least != most {
		text += fmt.Sprintf(" (%.2f to %.2f)", least, most)
	}
	return text
}

func median[T time.Duration | float64](of []T) T {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
