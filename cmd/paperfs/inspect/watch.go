package inspect

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/vbauerster/cupwriter"

	"paperfs/cmd/paperfs/cli"
)

// watchScreen shows the whole status in place on a terminal, until ctx ends.
func (m mounted) watchScreen(ctx context.Context, on *os.File) error {
	screen := cupwriter.New(on, false)
	for {
		var text strings.Builder
		if err := m.show(&text); err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		if width, height, err := screen.GetTermSize(); err == nil {
			lines = fit(lines, width, height)
		}
		for _, line := range lines {
			fmt.Fprintln(screen, line)
		}
		if err := screen.Flush(len(lines)); err != nil {
			return err
		}
		if err := pause(ctx, cli.Redraw); err != nil {
			return nil // ^C is the normal end of a watch
		}
	}
}

// fit cuts lines to a screen, whose last line stays free for the cursor. A size of 0 is
// unknown.
func fit(lines []string, width, height int) []string {
	if height > 1 && len(lines) >= height {
		lines = lines[:height-1]
	}
	if width > 0 {
		for i, line := range lines {
			lines[i] = runewidth.Truncate(line, width, "…")
		}
	}
	return lines
}

// show prints the status for people.
func (m mounted) show(out io.Writer) error {
	s, _, err := m.status()
	if err != nil {
		return err
	}
	local, _, err := m.local()
	if err != nil {
		return err
	}
	return printStatus(out, s, local, time.Now())
}

// watchLines writes a line for each change of the uploads, until all are done.
func (m mounted) watchLines(ctx context.Context, out io.Writer) error {
	var t tally
	var last moment
	for {
		s, _, err := m.status()
		if err != nil {
			return err
		}
		if now := t.add(s.Media); now != last {
			fmt.Fprintln(out, now)
			last = now
		}
		if s.Media.Idle {
			return nil
		}
		if err := pause(ctx, lookAgain); err != nil {
			return nil // ^C is the normal end of a watch
		}
	}
}
