package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Columns.
const (
	dataDirectory = "data directory"
	oneNode       = "one node"
	twoNodes      = "two nodes"
	threeNodes    = "three nodes"
)

var nodeSets = []string{oneNode, twoNodes, threeNodes}

// Rows whose names are fixed.
const (
	changeRow     = "one small change, ms"
	coldRow       = "the tree, cold, ms" // all nodes walk the tree at the same time
	keptRow       = "the tree, kept, ms"
	upRow         = "a file up, s"
	downRow       = "a file down, s"
	restRow       = "memory before, MiB"
	upMemoryRow   = "most memory, up, MiB"
	downMemoryRow = "most memory, down, MiB"
	pdfRow        = "PDF pages/s"
)

func changesRow(writers, tenants int) string {
	return fmt.Sprintf("changes/s, %s, %s", several(writers, "writer"), several(tenants, "tenant"))
}

func several(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(n, " ", what)
}

// budgets come from the design, for an idle machine with PostgreSQL and the object store beside
// it.
var budgets = map[string]string{
	changeRow:                   "≤ 5",
	changesRow(32, mostTenants): "≥ 1000",
	coldRow:                     "≤ × 3 at 100,000 papers",
	upMemoryRow:                 "≤ 64 for 1 GiB",
	downMemoryRow:               "≤ 64 for 1 GiB",
}

// figure is one cell.
type figure struct {
	value  float64
	places int  // decimal places
	ratio  bool // show the ratio to the service with a data directory
}

func milliseconds(d time.Duration) figure {
	return figure{value: float64(d.Microseconds()) / 1000, places: 2, ratio: true}
}

// figures are the results, by row in the order of measurement.
type figures struct {
	rows    []string
	cells   map[[2]string]figure // by column and row
	skipped []string
}

func newFigures() *figures {
	return &figures{cells: map[[2]string]figure{}}
}

func (f *figures) add(column, row string, value figure) {
	if !slices.Contains(f.rows, row) {
		f.rows = append(f.rows, row)
	}
	f.cells[[2]string{column, row}] = value
}

func (f *figures) skip(format string, args ...any) {
	f.skipped = append(f.skipped, fmt.Sprintf(format, args...))
}

// write prints the results without skipped columns.
func (f *figures) write(out io.Writer, o serviceOptions) error {
	if len(f.rows) == 0 {
		return nil
	}
	var b strings.Builder
	columns := []string{dataDirectory}
	if len(f.skipped) == 0 {
		columns = append(columns, nodeSets...)
	}
	fmt.Fprintf(&b, "| | %s | budget |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)+1))
	for _, row := range f.rows {
		fmt.Fprintf(&b, "| %s |", row)
		for _, column := range columns {
			fmt.Fprintf(&b, " %s |", f.cell(column, row))
		}
		fmt.Fprintf(&b, " %s |\n", budgets[row])
	}
	fmt.Fprintf(&b, `
%d papers, a file of %s, %d PDFs of %d pages; changes are made for %v for each rate.
× is the ratio to the service with a data directory.
Budgets are for a calm machine with PostgreSQL and the object store beside it. This
machine has processors: %d. The service, its engines, PDF workers and the callers share
them. More nodes have no more of them: a rate that does not rise with nodes or writers
shows the limit of this machine, not that of nodes on machines of their own. The tree is
asked of each node at the same time: what is cold is walked by both of two.
`, o.papers, size(o.size), o.pdfs, o.pages, o.span, runtime.NumCPU())
	for _, line := range f.skipped {
		fmt.Fprintf(&b, "\nSkipped %s\n", line)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (f *figures) cell(column, row string) string {
	v, there := f.cells[[2]string{column, row}]
	if !there {
		return "-"
	}
	text := fmt.Sprintf("%.*f", v.places, v.value)
	if unit := f.cells[[2]string{dataDirectory, row}]; v.ratio && column != dataDirectory && unit.value > 0 {
		text += fmt.Sprintf(", × %.2f", v.value/unit.value)
	}
	return text
}
