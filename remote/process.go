package remote

import (
	"context"
	"time"
)

// Processing is a paper whose PDF is being processed.
type Processing struct {
	Paper    int64
	Created  time.Time // UTC
	Progress int       // percent
	GUID     string    // of the job, empty where the service does not tell it
}

// Job is a processing job that was begun. GUID is empty where the service
// gives none: its documented answer has no data. SHA256 is that of the PDF that
// was sent, lower-case hex.
type Job struct{ GUID, SHA256 string }

// ProcessPDF queues a PDF for a paper. options is an XML document with the root
// options, or empty for the defaults. After a failure of unknown outcome it
// looks whether the paper is being processed.
func (c *Client) ProcessPDF(ctx context.Context, paper int64, options string, pdf Content) (Job, error) {
	m, err := c.measured(ctx, ProcessPDF, pdf)
	if err != nil {
		return Job{}, err
	}
	var job Job
	b := &bulk{Content: pdf, measured: m}
	ctx = Patient(ctx)
	send := func() error {
		_, err := c.do(ctx, &request{op: ProcessPDF, params: []string{decimal(paper), options, ""},
			want: optionalText("jobGuid", &job.GUID), bulk: b})
		return err
	}
	err = c.changeWithLook(ctx, send, func() (bool, error) { return c.isProcessing(ctx, paper, &job.GUID) })
	if err == nil {
		job.SHA256, err = b.sha256()
	}
	return job, err
}

// ReprocessPaper processes a paper's stored PDF again and gives the job's GUID,
// empty as in Job.
func (c *Client) ReprocessPaper(ctx context.Context, paper int64, options string) (guid string, err error) {
	ctx = Patient(ctx)
	send := func() error {
		return c.call(ctx, ReprocessPaper, optionalText("jobGuid", &guid), decimal(paper), options)
	}
	err = c.changeWithLook(ctx, send, func() (bool, error) { return c.isProcessing(ctx, paper, &guid) })
	return guid, err
}

// isProcessing reports whether a paper is being processed, and by which job.
func (c *Client) isProcessing(ctx context.Context, paper int64, guid *string) (bool, error) {
	all, err := c.GetProcessingPapers(ctx)
	for _, p := range all {
		if p.Paper == paper {
			*guid = p.GUID
			return true, nil
		}
	}
	return false, err
}

// GetProcessingPapers gives the papers whose PDFs are being processed.
func (c *Client) GetProcessingPapers(ctx context.Context) ([]Processing, error) {
	var papers []Processing
	err := c.call(ctx, GetProcessingPapers, func() reading {
		var got []Processing
		return reading{
			data: func(s *scanner) error {
				return s.eachBelow(func() error {
					if !s.is("process") {
						return nil
					}
					id, err := s.attrID("paper-id")
					if err != nil {
						return err
					}
					created, _ := time.Parse(time.DateTime, s.attrText("created")) // for show alone
					progress := min(max(number(s.attr("progress")), 0), 100)
					got = append(got, Processing{Paper: id, Created: created, Progress: int(progress), GUID: s.attrText("job-guid")})
					return nil
				})
			},
			check: func() error { papers = got; return nil },
		}
	})
	return papers, err
}

// optionalText reads the first element of a name in data as a scalar; the
// value stays empty where there is none.
func optionalText(element string, value *string) func() reading {
	return func() reading {
		r := elementText(element, value)
		inner := r.check
		r.check = func() error {
			*value = ""
			_ = inner() // absence is what inner complains of
			return nil
		}
		return r
	}
}
