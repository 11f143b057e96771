package main

import (
	"strings"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/rules"

	"github.com/mattn/go-runewidth"
)

// layOut returns the page of a topic for a terminal: paragraphs and list entries fill the lines, and
// the cells of tables are broken into columns. Indented lines stay as they are.
func layOut(page string, width int) string {
	var b strings.Builder
	var block []string
	end := func() {
		for _, line := range layBlock(block, width) {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		block = nil
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "", strings.HasPrefix(line, "#"), strings.HasPrefix(line, "    "):
			end()
			b.WriteString(line + "\n")
			continue
		case listEntry().MatchString(line), len(block) > 0 && strings.HasPrefix(line, "|") != strings.HasPrefix(block[0], "|"):
			end()
		}
		block = append(block, line)
	}
	end()
	return b.String()
}

// listEntry matches the beginning of an entry of a list.
var listEntry = rules.Pattern(`^(- |\d+\. )`)

// layBlock lays out a paragraph, an entry of a list, or a table.
func layBlock(block []string, width int) []string {
	if len(block) == 0 {
		return nil
	}
	if strings.HasPrefix(block[0], "|") {
		return layTable(block, width)
	}
	first, indent := "", ""
	text := strings.Join(block, " ")
	if mark := listEntry().FindString(text); mark != "" {
		first, indent, text = mark, strings.Repeat(" ", len(mark)), text[len(mark):]
	}
	lines := cli.Wrap(text, width-len(indent))
	for i := range lines {
		lines[i] = indent + lines[i]
	}
	lines[0] = first + strings.TrimPrefix(lines[0], indent)
	return lines
}

// columnGap is the number of blanks between the columns of a table.
const columnGap = 2

var tableRule = rules.Pattern(`^\|[-|]+\|$`)

func layTable(rows []string, width int) (lines []string) {
	var table [][]string
	for _, row := range rows {
		if tableRule().MatchString(row) {
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		table = append(table, cells)
	}
	widths := columnWidths(table, width)
	for i, cells := range table {
		lines = append(lines, layRow(cells, widths)...)
		if i == 0 {
			total := columnGap * (len(widths) - 1)
			for _, w := range widths {
				total += w
			}
			lines = append(lines, strings.Repeat("-", total))
		}
	}
	return lines
}

// columnWidths narrows the widest columns until the table fits.
func columnWidths(table [][]string, width int) []int {
	widths := make([]int, len(table[0]))
	total := columnGap * (len(widths) - 1)
	for _, cells := range table {
		for i, cell := range cells {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	return widths
}

// layRow lays the cells of a row side by side, each in as many lines as it needs.
func layRow(cells []string, widths []int) (lines []string) {
	wrapped, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		wrapped[i] = cli.Wrap(cell, widths[i])
		height = max(height, len(wrapped[i]))
	}
	for n := range height {
		var b strings.Builder
		for i := range cells {
			text := ""
			if n < len(wrapped[i]) {
				text = wrapped[i][n]
			}
			b.WriteString(runewidth.FillRight(text, widths[i]) + strings.Repeat(" ", columnGap))
		}
		lines = append(lines, b.String())
	}
	return lines
}
