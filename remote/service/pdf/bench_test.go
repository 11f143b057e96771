package pdf

import (
	"context"
	"os"
	"syscall"
	"testing"

	"paperfs/remote/service/pdf/pdftest"
)

// BenchmarkManual takes a manual of 311 pages apart. peak-MB is the most that
// a worker had in memory.
func BenchmarkManual(b *testing.B) {
	path := manuals["gnuplot-doc"].path
	if _, err := os.Stat(path); err != nil {
		missing(b, "no %s", path)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	var pages, size int
	for b.Loop() {
		r := &counted{}
		if err := (&Processor{Cache: cache, Command: pdftest.Command()}).Process(context.Background(), Job{}, file, r); err != nil {
			b.Fatal(err)
		}
		pages, size = r.pages, r.bytes
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MB")
	b.ReportMetric(float64(size)/float64(pages)/1024, "image-KB/page")
}

// counted is a sink that keeps nothing.
type counted struct{ pages, bytes int }

func (c *counted) Begin(int) error { return nil }

func (c *counted) Page(p Page) error {
	c.pages++
	for _, i := range p.Images {
		c.bytes += len(i.JPEG)
	}
	return nil
}

func (c *counted) Outline(Outline) error { return nil }
