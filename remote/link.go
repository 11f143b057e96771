package remote

import "context"

// GetLinks returns the links on a paper's pages as a document. If a link makes the answer
// malformed, the document is the received answer.
func (c *Client) GetLinks(ctx context.Context, id int64) ([]byte, error) {
	return c.document(ctx, GetLinks, decimal(id))
}
