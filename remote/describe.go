package remote

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"time"

	"paperfs/remote/ratelimit"
	"paperfs/remote/rules"
)

// Description is what a service tells anybody about itself.
type Description struct {
	Date        time.Time         // by its clock; zero if it sent none
	Certificate *x509.Certificate // nil over plain http
	Operations  map[string]bool   // operations in its WSDL; empty if it has no WSDL
}

// mostWSDL is the most bytes of a WSDL.
const mostWSDL = 16 << 20

var wsdlOperation = rules.Pattern(`<(?:\w+:)?operation\s+name="(\w+)"`)

// Describe asks for the WSDL of a group of operations, once and without
// credentials. It counts as a request. Its errors are those of net/http.
func (c *Client) Describe(ctx context.Context, group string) (*Description, error) {
	if err := c.limiter.Acquire(ctx, ratelimit.Interactive, c.maxWait); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String()+"/V2/"+group+".asmx?WSDL", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "paperfs")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	d := &Description{Operations: map[string]bool{}}
	d.Date, _ = http.ParseTime(resp.Header.Get("Date"))
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) > 0 {
		d.Certificate = resp.TLS.PeerCertificates[0]
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostWSDL))
	if err != nil {
		return nil, fmt.Errorf("reading the WSDL: %w", err)
	}
	if resp.StatusCode == http.StatusOK {
		for _, found := range wsdlOperation().FindAllSubmatch(text, -1) {
			d.Operations[string(found[1])] = true
		}
	}
	return d, nil
}
