package pdf

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// BenchmarkManual processes a manual of 311 pages. peak-MB is a worker's peak
// memory.
func BenchmarkManual(b *testing.B) {
	path := manuals[1]
	if _, err := os.Stat(path); err != nil {
		testrun.Missing(b, path)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	var pages, size int
	before := childrenCPU(b)
	for b.Loop() {
		r := &counted{}
		if err := (&Processor{Cache: pdftest.Cache(), Command: pdftest.Command()}).Process(context.Background(), Job{}, file, r); err != nil {
			b.Fatal(err)
		}
		pages, size = r.pages, r.bytes
	}
	b.ReportMetric((childrenCPU(b)-before).Seconds()/float64(b.N), "cpu-s/op")
	usage := childrenUsage(b)
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MB")
	b.ReportMetric(float64(size)/float64(pages)/1024, "image-KB/page")
}

// counted is a sink that discards its input.
type counted struct{ pages, bytes int }

func (c *counted) Begin(int, []Attachment, string) error { return nil }

func (c *counted) Page(p Page) error {
	c.pages++
	for _, i := range p.Images {
		c.bytes += len(i.JPEG)
	}
	return nil
}

func (c *counted) End(Outline, Wishes) error { return nil }

// BenchmarkPoppler does the same work with poppler, for comparison: page images in
// three sizes, and the text.
func BenchmarkPoppler(b *testing.B) {
	path, folder := manuals[1], b.TempDir()
	render, text := testrun.Program(b, "pdftoppm"), testrun.Program(b, "pdftotext")
	before := childrenCPU(b)
	for b.Loop() {
		for _, size := range Sizes {
			longest := strconv.Itoa(size.Longest)
			if out, err := exec.Command(render, "-jpeg", "-jpegopt", "quality="+strconv.Itoa(size.Quality), "-scale-to", longest, path,
				filepath.Join(folder, longest)).CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
		if out, err := exec.Command(text, path, filepath.Join(folder, "text")).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	b.ReportMetric((childrenCPU(b)-before).Seconds()/float64(b.N), "cpu-s/op")
}

// childrenCPU returns the processor time of all ended children, which depends
// little on how busy the machine is.
func childrenCPU(b *testing.B) time.Duration {
	usage := childrenUsage(b)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func childrenUsage(b *testing.B) (usage syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		b.Fatal(err)
	}
	return usage
}

// BenchmarkLinks reads a page of 120,000 characters with 2,000 links.
func BenchmarkLinks(b *testing.B) {
	sheet := pdftest.Sheet{Width: 10_000, Height: 10_000}
	var text strings.Builder
	text.WriteString("BT /F1 10 Tf 12 TL 10 9000 Td\n")
	for line := range 400 {
		fmt.Fprintf(&text, "(%s) Tj T*\n", strings.Repeat("words ", 50))
		for n := range 5 {
			left, bottom := 10+200*float64(n), 9000-12*float64(line)
			sheet.Links = append(sheet.Links, pdftest.Link{Left: left, Bottom: bottom, Right: left + 100, Top: bottom + 9, URI: "https://example.org/"})
		}
	}
	sheet.Content = text.String() + "ET"
	path := filepath.Join(b.TempDir(), "links.pdf")
	if err := os.WriteFile(path, pdftest.Document([]pdftest.Sheet{sheet}), 0o600); err != nil {
		b.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	before := childrenCPU(b)
	for b.Loop() {
		if err := (&Processor{Cache: pdftest.Cache(), Command: pdftest.Command()}).Process(context.Background(), Job{}, file, &counted{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((childrenCPU(b)-before).Seconds()/float64(b.N), "cpu-s/op")
}
