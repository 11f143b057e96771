package measure

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
)

// PDFs makes the service process count PDFs at once, and returns the pages per second.
func PDFs(ctx context.Context, c *Caller, count, pages int) (float64, error) {
	began := time.Now()
	jobs := make([]job, count)
	for i := range jobs {
		var err error
		if jobs[i], err = c.process(ctx, fmt.Sprint("pdf", i), pages); err != nil {
			return 0, err
		}
	}
	for _, j := range jobs {
		if err := c.completed(ctx, j); err != nil {
			return 0, err
		}
	}
	took := time.Since(began)
	for _, j := range jobs {
		if _, err := c.Ask(ctx, remote.DeletePaper, j.paper); err != nil {
			return 0, err
		}
	}
	return float64(count*pages) / took.Seconds(), nil
}

// job is a PDF that the service processes.
type job struct{ paper, guid string }

var guidIn = regexp.MustCompile(`<jobGuid><!\[CDATA\[(.*?)\]\]></jobGuid>`)

// process sends a PDF for a new paper.
func (c *Caller) process(ctx context.Context, name string, pages int) (job, error) {
	texts := make([]string, pages)
	for n := range texts {
		texts[n] = fmt.Sprintf("Page %d of %s\nRakes, spades and wheelbarrows\nA second line of no importance", n+1, name)
	}
	root, err := c.id(ctx, "/")
	if err != nil {
		return job{}, err
	}
	paper, err := c.make(ctx, remote.CreatePaper, root, name, name)
	if err != nil {
		return job{}, err
	}
	body, err := c.Ask(ctx, remote.ProcessPDF, paper, "", base64.StdEncoding.EncodeToString(pdftest.Text(texts...)))
	if err != nil {
		return job{}, err
	}
	found := guidIn.FindSubmatch(body)
	if found == nil {
		return job{}, fmt.Errorf("ProcessPDF was answered without a job: %s", body)
	}
	return job{paper, string(found[1])}, nil
}

// look is the interval between two status calls for a job.
const look = 20 * time.Millisecond

// completed waits until a job has completed.
func (c *Caller) completed(ctx context.Context, j job) error {
	for {
		body, err := c.Ask(ctx, remote.GetProcessingStatus, j.guid)
		if err != nil {
			return err
		}
		switch {
		case bytes.Contains(body, []byte("Completed")):
			return nil
		case !isPending(body):
			return fmt.Errorf("a PDF was not processed: %s", body)
		}
		if err := pause(ctx, look); err != nil {
			return err
		}
	}
}

func isPending(body []byte) bool { return bytes.Contains(body, []byte("Pending")) }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
