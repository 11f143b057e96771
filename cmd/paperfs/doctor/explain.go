package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"paperfs/remote"
	"paperfs/remote/shellword"
)

func asRemote(err error) (*remote.Error, bool) { return errors.AsType[*remote.Error](err) }

// unreached returns the finding for a service that did not answer.
func unreached(base *url.URL, setting string, err error) Finding {
	f := explain(base, setting, err)
	if f.Check == "" {
		f.Check = "connection"
	}
	return f
}

func checkAddress(setting string) string { return "Check the address (" + setting + ")" }

// Explain says why there is no connection to a service, and what to do, but not to check the
// address, as its caller does. It returns "" if the error says it all. setting is the source of
// the address.
func Explain(base *url.URL, setting string, err error) string {
	f := explain(base, setting, err)
	if strings.HasPrefix(f.Says, "there is no connection to ") {
		return ""
	}
	return f.Says + ". " + strings.Replace(f.Mend, checkAddress(setting)+", then run:", "Run:", 1)
}

// explain says why there is no connection. setting is the source of the address.
func explain(base *url.URL, setting string, err error) Finding {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // the finding names the address itself
	}
	if f, ok := explainTLS(base, err); ok {
		return f
	}
	host := base.Hostname()
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		f := failure(checkAddress(setting)+", then run: getent hosts "+shellword.Quote(e.Name), "the name %s does not exist", e.Name)
		if !e.IsNotFound {
			f = failure("Run: resolvectl status (or cat /etc/resolv.conf)", "%s cannot be looked up: no name server answers (%s)", e.Name, e.Err)
		}
		return f.of("name")
	}
	switch {
	case errors.Is(err, unix.ECONNREFUSED):
		return failure(get(base), "%s refuses the connection: nothing listens there", base.Host)
	case errors.Is(err, unix.ENETUNREACH), errors.Is(err, unix.EHOSTUNREACH):
		return failure("Run: ip route get "+shellword.Quote(host), "there is no route to %s", base.Host)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, unix.ETIMEDOUT):
		return failure(get(base), "%s does not answer: a firewall may block it, or the machine is off", base.Host)
	}
	return failure(get(base), "there is no connection to %s: %v", base.Host, err)
}

func explainTLS(base *url.URL, err error) (Finding, bool) {
	show := "Run: openssl s_client -connect " + shellword.Quote(hostPort(base)) + " < /dev/null"
	if e, ok := errors.AsType[x509.CertificateInvalidError](err); ok && e.Reason == x509.Expired {
		now := time.Now().Format(time.RFC3339)
		return failure("Compare with: date (then have the certificate renewed)", "the service's certificate is not valid now, %s: it is valid from %s to %s",
			now, e.Cert.NotBefore.Format(time.RFC3339), e.Cert.NotAfter.Format(time.RFC3339)), true
	}
	if e, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		issuer := "an authority"
		if e.Cert != nil {
			issuer = e.Cert.Issuer.String()
		}
		return failure("If that is your organisation's own, give its certificate: --ca-file FILE (see who it is: "+show[len("Run: "):]+")",
			"the service's certificate is from %s, which this machine does not trust", issuer), true
	}
	if e, ok := errors.AsType[x509.HostnameError](err); ok {
		return failure(show, "the service's certificate is for another name: %v", e), true
	}
	if errors.Is(err, http.ErrSchemeMismatch) {
		return failure("If it speaks plain http, write the address with http://", "%s does not speak TLS", base.Host), true
	}
	if e, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return failure(show, "the service's certificate is not accepted: %v", e.Err), true
	}
	return Finding{}, false
}

// hostPort returns the address to connect to.
func hostPort(base *url.URL) string {
	return net.JoinHostPort(base.Hostname(), cmp.Or(base.Port(), base.Scheme)) // openssl and Go accept the scheme as a port
}

// get returns a command that requests only the headers of an address.
func get(base *url.URL) string {
	return fmt.Sprintf("Run: curl -sI %s", shellword.Quote((&url.URL{Scheme: base.Scheme, Host: base.Host, Path: "/"}).String()))
}
