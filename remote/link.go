package remote

import "context"

// GetLinks returns the links on a paper's pages. Links may hold what makes the
// answer not well-formed; then the document is the answer as it came.
func (c *Client) GetLinks(ctx context.Context, id int64) ([]byte, error) {
	return c.document(ctx, GetLinks, decimal(id))
}
