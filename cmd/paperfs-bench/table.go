package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// table has a row for each peer or service, and a column for each piece of work.
type table struct {
	unit          string // the row that ratios are relative to
	rows, columns []string
	cells         map[[2]string]*cell
	remarks       []string // what is not in the table, and why
	failed        int
}

// cell has a figure for each run.
type cell struct {
	figures []float64
	note    string // of the last run
	failed  bool
}

// cell returns a cell, which it makes where there is none.
func (t *table) cell(row, column string) *cell {
	if !slices.Contains(t.rows, row) {
		t.rows = append(t.rows, row)
	}
	if !slices.Contains(t.columns, column) {
		t.columns = append(t.columns, column)
	}
	if t.cells == nil {
		t.cells = map[[2]string]*cell{}
	}
	at := [2]string{row, column}
	if t.cells[at] == nil {
		t.cells[at] = &cell{}
	}
	return t.cells[at]
}

// figure adds what one run measured.
func (t *table) figure(row, column string, value float64) {
	c := t.cell(row, column)
	c.figures = append(c.figures, value)
}

// add adds what a piece of work took, or why it failed.
func (t *table) add(row, column string, took took, err error) {
	c := t.cell(row, column)
	switch {
	case errors.Is(err, errNotHere):
		return
	case err != nil:
		c.failed = true
		t.failed++
		t.remarks = append(t.remarks, fmt.Sprintf("Failed %s, %s: %v", row, column, err))
		return
	}
	t.figure(row, column, took.time.Seconds())
	c.note = took.note
}

// write prints the table.
func (t *table) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	for _, row := range t.rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range t.columns {
			fmt.Fprintf(&b, " %s |", t.cells[[2]string{row, column}].show(t.cells[[2]string{t.unit, column}]))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nMedian (least to most), times in seconds but where ms is said; × is the ratio to %s, run by run.\n", t.unit)
	for _, line := range t.remarks {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	_, err := io.WriteString(w, b.String())
	if err == nil && t.failed > 0 {
		err = fmt.Errorf("%d pieces of work failed", t.failed)
	}
	return err
}

func (c *cell) show(unit *cell) string {
	switch {
	case c == nil:
		return "-"
	case c.failed:
		return "failed"
	case len(c.figures) == 0:
		return "-"
	}
	if unit == nil || unit.failed {
		unit = &cell{}
	}
	text := number(median(c.figures))
	if len(c.figures) > 1 {
		text += fmt.Sprintf(" (%s to %s)", number(slices.Min(c.figures)), number(slices.Max(c.figures)))
	}
	text += ratios(c.figures, unit.figures)
	if c.note != "" {
		text += "; " + c.note
	}
	return text
}

// number shows about three digits.
func number(v float64) string {
	places := 3
	for limit := 10.0; v >= limit && places > 0; limit *= 10 {
		places--
	}
	return fmt.Sprintf("%.*f", places, v)
}

// ratios formats figures as multiples of the unit's, run by run: the median, minimum and
// maximum. If the speed of the machine drifts, both figures of a run change.
func ratios(figures, unit []float64) string {
	var all []float64
	for i := range min(len(figures), len(unit)) {
		if unit[i] > 0 {
			all = append(all, figures[i]/unit[i])
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

// median returns the median of at least one figure.
func median[T float64 | time.Duration](of []T) T {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
