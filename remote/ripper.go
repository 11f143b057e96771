package remote

import "context"

// GetProcessingStatus gives the state of a processing job.
func (c *Client) GetProcessingStatus(ctx context.Context, guid string) (JobStatus, error) {
	var status string
	err := c.call(ctx, GetProcessingStatus, func() reading { return elementText("ProcessStatus", &status) }, guid)
	return JobStatus(status), err
}
