package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"syscall"
)

// failed classifies an attempt without an answer.
func (c *Client) failed(ctx context.Context, r *request, w *watch, err error, connected bool) outcome {
	o := outcome{unknown: connected, again: true}
	e := c.newError(r, Broken)
	e.Err = fmt.Errorf("the connection broke before the answer: %w", plain(err))
	var content *contentError
	var place *placeError
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Err, o.again = Cancelled, ctx.Err(), false
	case errors.As(err, &content):
		e.Kind, e.Err = Local, content.err
		o.unknown, o.again = false, false
	case errors.As(err, &place):
		e.Kind, e.Err = Elsewhere, place
		o.unknown, o.again = false, false
	case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE): // says nothing about the service
		e.Kind, e.Err, o.unknown = Local, fmt.Errorf("no descriptor was left for a connection, so raise the limit of open files of the mount (ulimit -n, or LimitNOFILE of its systemd unit): %w", plain(err)), false
	case !connected:
		e.Kind, e.Err, o.vain = Unreachable, plain(err), c.clock.Now().Sub(r.began)
		o.again = !lasting(err)
	case w.stalled() != nil:
		e.Kind, e.Err, o.stalled = Stalled, w.stalled(), true
	case wasReset(err):
		e.Kind = Unreachable
	}
	o.err = e
	return o
}

// wasReset reports whether the other side closed a connection before the first byte of an
// answer, as a proxy does whose service is away.
func wasReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF)
}

// plain removes the address from a transport's error: the operation says as much.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// lasting reports whether a failure to connect will not pass within a call: an unknown
// name, a certificate that is not trusted.
func lasting(err error) bool {
	var name *net.DNSError
	if errors.As(err, &name) {
		return name.IsNotFound
	}
	var verify *tls.CertificateVerificationError
	var header tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verify) || errors.As(err, &header) || errors.As(err, &authority)
}
