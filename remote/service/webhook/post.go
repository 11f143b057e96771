package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

const (
	// tryTime is how long a try takes at most.
	tryTime = 10 * time.Second
	// mostHeader and mostBody are how many bytes of an answer are read. Nobody uses them.
	mostHeader = 16 << 10
	mostBody   = 16 << 10
	// mostReason is how many bytes of a failure are kept.
	mostReason = 300
)

// CheckURL checks the address of a webhook.
func CheckURL(address string, trusted bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || !isPort(u.Port()) || u.Scheme != "https" && u.Scheme != "http" || len(address) > 2000:
		return fmt.Errorf("%q has to be an address like https://receiver.example/hook", address)
	case u.User != nil || u.Fragment != "":
		return errors.New("the address of a webhook has no user name, password or fragment: the signature says who sends")
	case u.Scheme == "http" && !trusted:
		return errors.New("the address of a webhook begins with https://, unless you trust its host with --trust-host")
	case !trusted && isPrivate(u.Hostname()):
		return fmt.Errorf("%s is not a public address: trust this host with --trust-host", u.Hostname())
	}
	return nil
}

// isPort reports whether a text is the number of a port; "" is that of the scheme.
func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil
}

// isPrivate reports whether a host is an address that is not public. What a name leads to is judged at each dial.
func isPrivate(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && !remote.Public(addr)
}

// Poster sends to receivers.
type Poster struct {
	public, any *http.Client
}

// NewPoster returns a Poster. Close it.
func NewPoster() *Poster {
	return &Poster{public: newClient(judge), any: newClient(nil)}
}

// newClient returns a client that asks no proxy, which would hide the address that is dialled.
func newClient(judge func(network, address string, _ syscall.RawConn) error) *http.Client {
	dialer := &net.Dialer{Timeout: tryTime, Control: judge}
	return &http.Client{Timeout: tryTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: tryTime, MaxResponseHeaderBytes: mostHeader, IdleConnTimeout: time.Minute, MaxIdleConns: 100}}
}

// judge is called with the address of each connection before it is made.
func judge(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err != nil || !remote.Public(to.Addr()) {
		return errors.New("its address is not a public one, and you do not trust its host")
	}
	return nil
}

// Close closes the idle connections.
func (p *Poster) Close() {
	p.public.CloseIdleConnections()
	p.any.CloseIdleConnections()
}

// Post sends a message once. Its error, which has no address, says why the receiver has not accepted it.
func (p *Poster) Post(ctx context.Context, w store.Webhook, id string, at time.Time, body []byte) error {
	signature, err := Sign(w.Secret, id, at, body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("its address is damaged")
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {"paperfs"}, "Webhook-Id": {id},
		"Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)}, "Webhook-Signature": {signature}}
	client := p.public
	if w.Trusted {
		client = p.any
	}
	answer, err := client.Do(r)
	if err != nil {
		return reason(err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, mostBody) // the connection serves the next event if that is all
	switch {
	case answer.StatusCode/100 == 2:
		return nil
	case answer.StatusCode/100 == 3:
		return reason(fmt.Errorf("it answered %.40s: redirects are not followed", answer.Status))
	}
	return reason(fmt.Errorf("it answered %.40s", answer.Status))
}

// reason returns a failure without the address. Its text, which may be the receiver's, is printable: PostgreSQL keeps no
// other one, and the sender would get no further.
func reason(err error) error {
	if failed, is := errors.AsType[*url.Error](err); is {
		if failed.Timeout() {
			return fmt.Errorf("it did not answer within %s", tryTime)
		}
		err = failed.Err
	}
	text := err.Error()
	return errors.New(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text[:min(len(text), mostReason)]))
}
