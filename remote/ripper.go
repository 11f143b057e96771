package remote

import (
	"context"

	"paperfs/remote/xmlscan"
)

// GetProcessingStatus returns the state of a processing job, and the reason of a failure if
// the service sends it, as the embedded service does.
func (c *Client) GetProcessingStatus(ctx context.Context, guid string) (status JobStatus, reason string, err error) {
	err = c.call(ctx, GetProcessingStatus, func() reading {
		var got, why string
		return reading{
			element: func(s *xmlscan.Scanner) (err error) {
				switch {
				case s.Is("ProcessStatus") && got == "":
					got, err = s.Scalar()
				case s.Is("Reason") && why == "":
					why, err = s.Scalar()
				}
				return err
			},
			check: func() error {
				if got == "" {
					return broken("the answer has no element <ProcessStatus>")
				}
				status, reason = JobStatus(got), why
				return nil
			},
		}
	}, guid)
	return status, reason, err
}
