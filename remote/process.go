package remote

import (
	"context"
	"errors"
	"slices"
	"time"

	"paperfs/remote/xmlscan"
)

// Processing is a paper whose PDF is being processed.
type Processing struct {
	Paper    int64
	Created  time.Time // UTC
	Progress int       // percent
	GUID     string    // of the job; empty if the service sends none
}

// Job is a processing job that has begun. GUID is empty if the service sends none: its
// documented answer has no data. SHA256 is the digest of the sent PDF, in lower-case hex.
type Job struct{ GUID, SHA256 string }

// ProcessPDF queues a PDF for a paper. options is an XML document with the root
// options, or empty for the defaults. After a failure of unknown outcome it checks whether
// the paper is being processed by a job that is not among older (GUIDs) and began no
// earlier than this call. If the service sends no GUIDs and the times do not tell, the
// outcome stays unknown. Under a condition that the service judges, it sends the PDF again instead.
func (c *Client) ProcessPDF(ctx context.Context, paper int64, options string, pdf Content, older ...string) (Job, error) {
	b, err := c.bulk(ctx, ProcessPDF, pdf)
	if err != nil {
		return Job{}, err
	}
	var job Job
	ctx = Patient(ctx)
	began := time.Now()
	send := func() error {
		_, err := c.do(ctx, &request{op: ProcessPDF, params: []string{decimal(paper), options, ""},
			want: optionalText("jobGuid", &job.GUID), bulk: b})
		return err
	}
	err = c.changeWithLook(ctx, send, func() (bool, error) {
		if c.judges(ctx) {
			return false, nil // the repeat tells what stands already from what others have sent
		}
		return c.isProcessing(ctx, paper, began, older, &job.GUID)
	})
	if err == nil {
		job.SHA256 = b.sha256()
	}
	return job, err
}

// ReprocessPaper processes a paper's stored PDF again and returns the job's GUID, which may
// be empty as in Job.
func (c *Client) ReprocessPaper(ctx context.Context, paper int64, options string) (guid string, err error) {
	ctx = Patient(ctx)
	began := time.Now()
	send := func() error {
		return c.call(ctx, ReprocessPaper, optionalText("jobGuid", &guid), decimal(paper), options)
	}
	err = c.changeWithLook(ctx, send, func() (bool, error) { return c.isProcessing(ctx, paper, began, nil, &guid) })
	return guid, err
}

// rounding is the greatest error of a job's age: both times from which it is computed are
// cut to seconds.
const rounding = 2 * time.Second

// errWhichJob means that a paper is being processed by a job that may be the one that was
// begun, or an older one.
var errWhichJob = errors.New("the service is processing a PDF of this paper and does not say whether it is this one")

// isProcessing reports whether a paper is being processed by a job that has begun since
// began, and returns the job. older are the GUIDs of other jobs.
func (c *Client) isProcessing(ctx context.Context, paper int64, began time.Time, older []string, guid *string) (bool, error) {
	all, now, err := c.processing(ctx)
	for _, p := range all {
		if p.Paper != paper || p.GUID != "" && slices.Contains(older, p.GUID) {
			continue
		}
		// The age is by the service's clock, which may differ from the local one.
		age, since, timed := now.Sub(p.Created), time.Since(began), !now.IsZero() && !p.Created.IsZero()
		switch {
		case timed && age > since+rounding:
			continue
		case p.GUID == "" && !(timed && age < since-rounding):
			return false, errWhichJob
		}
		*guid = p.GUID
		return true, nil
	}
	return false, err
}

// GetProcessingPapers returns the papers whose PDFs are being processed.
func (c *Client) GetProcessingPapers(ctx context.Context) ([]Processing, error) {
	papers, _, err := c.processing(ctx)
	return papers, err
}

// processing is GetProcessingPapers. It also returns the time of the answer by the
// service's clock; zero if the service sends none.
func (c *Client) processing(ctx context.Context) (papers []Processing, now time.Time, err error) {
	r := &request{op: GetProcessingPapers, want: func() reading {
		var got []Processing
		return reading{
			element: func(s *xmlscan.Scanner) error {
				if !s.Is("process") {
					return nil
				}
				id, err := s.AttrID("paper-id")
				if err != nil {
					return err
				}
				created, _ := time.Parse(time.DateTime, s.AttrText("created"))
				progress := min(max(xmlscan.ParseNumber(s.Attr("progress")), 0), 100)
				got = append(got, Processing{Paper: id, Created: created, Progress: int(progress), GUID: s.AttrText("job-guid")})
				return nil
			},
			check: func() error { papers = got; return nil },
		}
	}}
	_, err = c.do(ctx, r)
	return papers, r.date, err
}

// optionalText reads the first element of a name in data as a scalar; the value stays empty
// if there is no such element.
func optionalText(element string, value *string) func() reading {
	return func() reading {
		r := elementText(element, value)
		inner := r.check
		r.check = func() error {
			*value = ""
			_ = inner() // its error would be that the element is absent
			return nil
		}
		return r
	}
}
