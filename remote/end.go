package remote

import "context"

// End ends all calls and downloads under way, and each later one, as the end of their contexts
// would.
func (c *Client) End() { c.end() }

// until returns a context that ends with ctx, or when the client ends. stop releases it.
func (c *Client) until(ctx context.Context) (with context.Context, stop context.CancelFunc) {
	with, cancel := context.WithCancel(ctx)
	if c.ended.Err() != nil {
		cancel() // AfterFunc would, but a moment later
	}
	unlink := context.AfterFunc(c.ended, cancel)
	return with, func() {
		unlink()
		cancel()
	}
}
