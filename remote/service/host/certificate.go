package host

import (
	"crypto/tls"
	"fmt"
	"sync/atomic"
)

// Certificate is a certificate with its key, from PEM files that may change.
type Certificate struct {
	cert, key string
	pair      atomic.Pointer[tls.Certificate]
}

// LoadCertificate reads a certificate and its key. If cert is empty it returns nil, which means
// plain HTTP.
func LoadCertificate(cert, key string) (*Certificate, error) {
	if cert == "" {
		return nil, nil
	}
	c := &Certificate{cert: cert, key: key}
	if err := c.Reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// Reload reads the files again, for later connections. If they are unusable, the previous
// certificate stays in use.
func (c *Certificate) Reload() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("the certificate cannot be used: %w", err)
	}
	c.pair.Store(&pair)
	return nil
}

// config returns the configuration for a server; nil without a certificate.
func (c *Certificate) config() *tls.Config {
	if c == nil {
		return nil
	}
	return &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil }}
}
