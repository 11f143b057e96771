package remote

import "context"

// GetProcessingStatus gives the state of a processing job, and the reason of a
// failure where the service tells it, as the embedded one does.
func (c *Client) GetProcessingStatus(ctx context.Context, guid string) (status JobStatus, reason string, err error) {
	err = c.call(ctx, GetProcessingStatus, func() reading {
		var got, why string
		return reading{
			data: func(s *scanner) error {
				return s.eachBelow(func() (err error) {
					switch {
					case s.is("ProcessStatus") && got == "":
						got, err = s.scalar()
					case s.is("Reason") && why == "":
						why, err = s.scalar()
					}
					return err
				})
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
