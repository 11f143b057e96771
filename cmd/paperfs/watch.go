package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"paperfs/fs/control"

	"github.com/dustin/go-humanize"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// watch shows what is on its way to the service until nothing is: bars on a
// terminal, a line for each change elsewhere.
func watch(ctx context.Context, m mounted, out io.Writer) error {
	view := newView(out)
	defer view.end()
	var t tally
	for {
		s, _, err := m.status()
		if err != nil {
			return err
		}
		view.show(t.add(s.Media))
		if s.Media.Idle {
			return nil
		}
		if err := pause(ctx); err != nil {
			return nil // ^C ends the watching, as it should
		}
	}
}

// tally adds up what was seen since the watching began.
type tally struct {
	known map[string]control.Upload // by path, as last seen
	files int                       // seen and gone again
	bytes int64
}

// moment is how far the uploads are.
type moment struct {
	files, allFiles int
	bytes, allBytes int64
	failed          int
	trouble         string // why something is not getting on, in words
}

func (t *tally) add(info control.MediaInfo) moment {
	now := make(map[string]control.Upload, len(info.Uploads))
	m := moment{failed: info.Failed}
	for _, u := range info.Uploads {
		now[u.Path] = u
		m.bytes += u.Sent
		m.allBytes += u.Size
		if u.LastError != "" {
			m.trouble = printable(fmt.Sprintf("%s: %s", u.Path, u.LastError))
		}
	}
	for path, u := range t.known {
		if _, still := now[path]; !still {
			t.files++
			t.bytes += u.Size
		}
	}
	t.known = now
	m.files, m.allFiles = t.files, t.files+len(now)
	m.bytes, m.allBytes = m.bytes+t.bytes, m.allBytes+t.bytes
	return m
}

func (m moment) String() string {
	text := fmt.Sprintf("%d of %d files, %s of %s", m.files, m.allFiles, humanize.IBytes(uint64(m.bytes)), humanize.IBytes(uint64(m.allBytes)))
	if m.failed > 0 {
		text += fmt.Sprintf(", %d in .paperfs/failed", m.failed)
	}
	if m.trouble != "" {
		text += "; " + m.trouble
	}
	return text
}

// view shows moments.
type view interface {
	show(moment)
	end()
}

func newView(out io.Writer) view {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return newBars(f)
	}
	return &lines{out: out}
}

// lines prints a moment that is another than the one before.
type lines struct {
	out  io.Writer
	last moment
}

func (l *lines) show(m moment) {
	if m != l.last {
		fmt.Fprintln(l.out, m)
	}
	l.last = m
}

func (l *lines) end() {}

// bars shows files and bytes with rate and time left.
type bars struct {
	container    *mpb.Progress
	files, bytes *mpb.Bar
	words        string // what stands behind the bar of files
}

func newBars(f *os.File) *bars {
	b := &bars{container: mpb.New(mpb.WithOutput(f), mpb.WithWidth(50))}
	b.files = b.container.AddBar(0,
		mpb.PrependDecorators(decor.Name("files ", decor.WCSyncSpaceR), decor.CountersNoUnit("%d of %d", decor.WCSyncSpace)))
	b.bytes = b.container.AddBar(0,
		mpb.PrependDecorators(decor.Name("bytes ", decor.WCSyncSpaceR), decor.CountersKibiByte("% .1f of % .1f", decor.WCSyncSpace)),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f", decor.WCSyncSpace), decor.Name(" left "), decor.AverageETA(decor.ET_STYLE_GO)))
	return b
}

func (b *bars) show(m moment) {
	b.files.SetTotal(int64(m.allFiles), false)
	b.files.SetCurrent(int64(m.files))
	b.bytes.SetTotal(m.allBytes, false)
	b.bytes.SetCurrent(m.bytes)
	if words := troubleOf(m); words != b.words {
		b.words = words
		fmt.Fprintln(b.container, words) // above the bars
	}
}

func troubleOf(m moment) string {
	switch {
	case m.trouble != "":
		return m.trouble
	case m.failed > 0:
		return fmt.Sprintf("%d in .paperfs/failed", m.failed)
	}
	return ""
}

func (b *bars) end() {
	b.files.Abort(false)
	b.bytes.Abort(false)
	b.container.Wait()
}
