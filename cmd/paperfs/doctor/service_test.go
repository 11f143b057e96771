package doctor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cmd/paperfs/config"
	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// look checks a service, and returns the findings by check.
func look(t *testing.T, s Service, o remote.Options) map[string]string {
	t.Helper()
	client := testrun.Must(remote.New(o))(t)
	defer client.Close()
	s.URL, s.RootURL, s.Client = o.BaseURL, orRoot(s.RootURL), client
	if s.Named == nil {
		s.Named = config.VariableOf
	}
	all := map[string]string{}
	for _, f := range s.Check().Look(t.Context()) {
		all[f.Check] = said(f)
	}
	return all
}

func orRoot(url string) string {
	if url == "" {
		return "/"
	}
	return url
}

func TestAServiceThatWorks(t *testing.T) {
	f := servicetest.Start(t)
	proxy := servicetest.NewProxy(t, f.URL)
	options := remote.Options{BaseURL: proxy.URL, Username: f.Username, Password: f.Password}
	found := look(t, Service{}, options)
	require.Equal(t, "ok: accepted; the root is /", found["credentials"])
	require.Len(t, proxy.Requests(), 1)

	found = look(t, Service{RootURL: "/none/"}, options)
	require.Equal(t, `failure: accepted, but the service has nothing at the address "/none/" | Set --root-url or --root-id to a category of the service`, found["credentials"])
	require.Equal(t, "ok: accepted; the root is id 1", look(t, Service{RootID: 1}, options)["credentials"])
	require.Equal(t, `failure: accepted, but the service has nothing with the id 99 | Set --root-url or --root-id to a category of the service`, look(t, Service{RootID: 99}, options)["credentials"])
	options.Password = "wrong"
	found = look(t, Service{}, options)
	require.Regexp(t, `^failure: .* \| Check PAPERFS_USERNAME and the password$`, found["credentials"])
	named := look(t, Service{Named: func(setting string) string { return setting + " of profile acme (config.toml:3)" }}, options)
	require.Regexp(t, `^failure: .* \| Check username of profile acme \(config\.toml:3\) and the password$`, named["credentials"])
	require.NotContains(t, fmt.Sprint(found), "wrong", "no finding contains the password")
}

// TestEachFailureOfTheWaySaysWhatMendsIt checks the text of each finding about the connection.
func TestEachFailureOfTheWaySaysWhatMendsIt(t *testing.T) {
	refusing := "http://" + strings.TrimPrefix(servicetest.Refusing(t), "http://")
	require.Regexp(t, `^failure: 127\.0\.0\.1:\d+ refuses the connection: nothing listens there \| Run: curl -sI http://127`, look(t, Service{}, remote.Options{BaseURL: refusing, Username: "me", Password: "secret"})["connection"])

	for _, c := range []struct {
		host    string
		ends    time.Duration
		trusted bool
		want    string
	}{
		{"127.0.0.1", 24 * time.Hour * 365, false, `^failure: the service's certificate is from CN=test, which this machine does not trust \| If that is your organisation's own, give its certificate: --ca-file FILE$`},
		{"127.0.0.1", -time.Hour, true, `^failure: there is no connection to \S+: .*certificate has expired .* \| Run: curl -sI https://127`},
		{"127.0.0.2", 24 * time.Hour * 365, true, `^failure: there is no connection to \S+: .*127\.0\.0\.2.* \| Run: curl -sI https://127`},
	} {
		url, ca := secured(t, c.host, c.ends)
		o := remote.Options{BaseURL: url, Username: "me", Password: "secret"}
		if c.trusted {
			o.CAFile = ca
		}
		require.Regexp(t, c.want, look(t, Service{}, o)["connection"])
	}
	f, known := explain(&url.URL{Scheme: "https", Host: "x.example"}, context.DeadlineExceeded)
	require.True(t, known)
	require.Equal(t, "failure: x.example does not answer: a firewall may block it, or the machine is off | Run: curl -sI https://x.example/", said(f))
	f, known = explain(&url.URL{Scheme: "https", Host: "x.example"}, errors.New("odd"))
	require.False(t, known)
	require.Equal(t, "failure: there is no connection to x.example: odd | Run: curl -sI https://x.example/", said(f))
}

// secured starts a server with a certificate for a host that expires after ends. It returns the
// server's address and the file of the certificate's authority.
func secured(t *testing.T, host string, ends time.Duration) (url, ca string) {
	key := testrun.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(ends), IsCA: true, BasicConstraintsValid: true,
	}
	der := testrun.Must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))(t)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return s.URL, ca
}
