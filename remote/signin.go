package remote

import "context"

// CreateSignInLink returns an address that signs a browser in to the publisher's page of the service, as this client's account:
// once, and within two minutes.
func (c *Client) CreateSignInLink(ctx context.Context) (address string, err error) {
	err = c.call(ctx, CreateSignInLink, func() reading { return elementText("address", &address) })
	return address, err
}
