package inspect

import (
	"fmt"
	"io"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/fs/control"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// uploadBars shows files and bytes of uploads on a terminal, with rate and remaining time.
// A nil *uploadBars shows nothing.
type uploadBars struct {
	tally        tally
	container    *mpb.Progress
	files, bytes *mpb.Bar
	words        string // printed above the bars: why an upload waits
}

func newUploadBars(out io.Writer) *uploadBars {
	f, ok := cli.Terminal(out)
	if !ok {
		return nil
	}
	b := &uploadBars{container: mpb.New(mpb.WithOutput(f), mpb.WithWidth(50))}
	b.files = b.container.AddBar(0,
		mpb.PrependDecorators(decor.Name("files ", decor.WCSyncSpaceR), decor.CountersNoUnit("%d of %d", decor.WCSyncSpace)))
	b.bytes = b.container.AddBar(0,
		mpb.PrependDecorators(decor.Name("bytes ", decor.WCSyncSpaceR), decor.CountersKibiByte("% .1f of % .1f", decor.WCSyncSpace)),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1024(0), "% .1f", decor.WCSyncSpace), decor.Name(" left "), decor.AverageETA(decor.ET_STYLE_GO)))
	return b
}

func (b *uploadBars) show(info control.MediaInfo) {
	if b == nil {
		return
	}
	m := b.tally.add(info)
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

func (b *uploadBars) end() {
	if b == nil {
		return
	}
	b.files.Abort(false)
	b.bytes.Abort(false)
	b.container.Wait()
}

// barsAfter is how long a command runs before it shows progress.
const barsAfter = time.Second

// withBars runs f, which publishes files of the mount. If that takes long, it shows the
// uploads on a terminal.
func (m mounted) withBars(out io.Writer, f func() error) error {
	if _, ok := cli.Terminal(out); !ok {
		return f()
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(barsAfter):
	}
	bars := newUploadBars(out)
	defer bars.end()
	for {
		if s, _, err := m.status(); err == nil {
			bars.show(s.Media)
		}
		select {
		case err := <-done:
			return err
		case <-time.After(lookAgain):
		}
	}
}

// jobBar shows a job's progress on a terminal. A nil *jobBar shows nothing.
type jobBar struct {
	container *mpb.Progress
	bar       *mpb.Bar
}

func newJobBar(out io.Writer, name string) *jobBar {
	f, ok := cli.Terminal(out)
	if !ok {
		return nil
	}
	container := mpb.New(mpb.WithOutput(f), mpb.WithWidth(60))
	return &jobBar{container, container.AddBar(100, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" ")), mpb.AppendDecorators(decor.Percentage(), decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)))}
}

func (b *jobBar) show(percent int) { b.bar.SetCurrent(int64(min(percent, 99))) }

func (b *jobBar) end() {
	if b != nil {
		b.bar.Abort(true)
		b.container.Wait()
	}
}
