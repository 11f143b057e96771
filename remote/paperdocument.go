package remote

import "context"

// GetLinks returns the links on a paper's pages as a document. If a link makes the answer
// malformed, the document is the received answer.
func (c *Client) GetLinks(ctx context.Context, id int64) ([]byte, error) {
	return c.document(ctx, GetLinks, decimal(id))
}

// GetFlipbookOrdersByType returns a paper's orders of the last three months. An empty
// checkoutType means all types.
func (c *Client) GetFlipbookOrdersByType(ctx context.Context, id int64, checkoutType string) ([]byte, error) {
	return c.document(ctx, GetFlipbookOrdersByType, decimal(id), checkoutType)
}

// GetLicenseOrdersByType is GetFlipbookOrdersByType for all papers of the licence that have
// orders.
func (c *Client) GetLicenseOrdersByType(ctx context.Context, checkoutType string) ([]byte, error) {
	return c.document(ctx, GetLicenseOrdersByType, checkoutType)
}
