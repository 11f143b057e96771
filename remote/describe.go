package remote

import (
	"context"
	"crypto/x509"
	"net/http"
	"time"

	"paperfs/remote/ratelimit"
)

// Description is what a service tells anybody about itself.
type Description struct {
	Date        time.Time         // by its clock; zero if it sent none
	Certificate *x509.Certificate // nil over plain http
}

// Describe asks the service without credentials, once. It counts as a request. Its errors are those of net/http.
func (c *Client) Describe(ctx context.Context) (*Description, error) {
	if err := c.limiter.Acquire(ctx, ratelimit.Interactive, c.maxWait); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String()+"/V2/"+GetTree.Group+".asmx?WSDL", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "paperfs")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	d := &Description{}
	d.Date, _ = http.ParseTime(resp.Header.Get("Date"))
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) > 0 {
		d.Certificate = resp.TLS.PeerCertificates[0]
	}
	return d, nil
}
