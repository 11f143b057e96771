package doctor

import (
	"context"
	"crypto/x509"
	"errors"
	"net/url"
	"os"

	"golang.org/x/sys/unix"

	"paperfs/remote/shellword"
)

// Explain says why there is no connection to a service, and what to do. It returns "" if the error says it all.
func Explain(base *url.URL, err error) string {
	f, known := explain(base, err)
	if !known {
		return ""
	}
	return f.Says + ". " + f.Fix
}

// explain says why there is no connection; known is false if the error says it all.
func explain(base *url.URL, err error) (f Finding, known bool) {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the finding names the address itself
	}
	get := "Run: curl -sI " + shellword.Quote((&url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/"}).String())
	switch {
	case errors.Is(err, unix.ECONNREFUSED):
		return failure(get, "%s refuses the connection: nothing listens there", base.Host), true
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, unix.ETIMEDOUT):
		return failure(get, "%s does not answer: a firewall may block it, or the machine is off", base.Host), true
	}
	if e, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		issuer := "an authority"
		if e.Cert != nil {
			issuer = e.Cert.Issuer.String()
		}
		return failure("If that is your organisation's own, give its certificate: --ca-file FILE", "the service's certificate is from %s, which this machine does not trust", issuer), true
	}
	return failure(get, "there is no connection to %s: %v", base.Host, err), false
}
