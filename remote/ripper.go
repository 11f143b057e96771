package remote

import "context"

// GetProcessingStatus gives the state of a processing job, and what the
// service says of it: the embedded one gives the reason of a failure.
func (c *Client) GetProcessingStatus(ctx context.Context, guid string) (status JobStatus, message string, err error) {
	var text string
	err = c.call(ctx, GetProcessingStatus, func() reading {
		r := elementText("ProcessStatus", &text)
		r.message = func(said string) { message = said }
		return r
	}, guid)
	return JobStatus(text), message, err
}
