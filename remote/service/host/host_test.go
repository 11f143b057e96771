package host

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/datadir"
	"paperfs/remote/testrun"
)

var quiet = slog.New(slog.DiscardHandler)

func startEmbedded(t *testing.T, data string) *Embedded {
	return testrun.Must(StartEmbedded(data, quiet, nil))(t)
}

// rootID asks the embedded service for its root.
func rootID(t *testing.T, e *Embedded) string {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	reply, err := client.PostForm(e.URL+"/V2/Paper.asmx/GetPaperIDFromUrl",
		url.Values{"plUsername": {e.Username}, "plPassword": {e.Password}, "url": {"/"}})
	require.NoError(t, err)
	defer reply.Body.Close()
	body := testrun.Must(io.ReadAll(reply.Body))(t)
	require.Contains(t, string(body), "SUCCESS")
	return string(body)
}

func TestEmbeddedServiceKeepsItsPortAndData(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	e := startEmbedded(t, data)
	first := rootID(t, e)
	_, err := StartEmbedded(data, quiet, nil)
	var held *datadir.HeldError
	require.ErrorAs(t, err, &held)
	require.NoError(t, e.Close())

	again := startEmbedded(t, data)
	require.Equal(t, e.URL, again.URL)
	require.Equal(t, first, rootID(t, again))
	require.NoError(t, again.Close())

	taken := testrun.Must(net.Listen("tcp", strings.TrimPrefix(e.URL, "http://")))(t)
	defer taken.Close()
	moved := startEmbedded(t, data)
	require.NotEqual(t, e.URL, moved.URL)
	rootID(t, moved)
	require.Equal(t, moved.URL, testrun.Must(datadir.ReadClientEnv(data))(t).URL)
	require.NoError(t, moved.Close())
	taken.Close()
	kept := startEmbedded(t, data)
	defer kept.Close()
	require.Equal(t, moved.URL, kept.URL, "the new port is saved")
}

func TestPortFileThatIsNoneIsReplaced(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "nonsense", "0", "99999"} {
		data := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(data, "port"), []byte(content), 0o600))
		e := startEmbedded(t, data)
		rootID(t, e)
		require.NoError(t, e.Close())
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	name := testrun.Must(os.Hostname())(t)
	v4, v6 := &net.TCPAddr{IP: net.IPv4zero, Port: 81}, &net.TCPAddr{IP: net.IPv6unspecified, Port: 81}
	for _, c := range []struct {
		requested string
		addr      net.Addr
		tls       bool
		base      string
		want      string
	}{
		{"0.0.0.0:81", v4, false, "", "http://127.0.0.1:81"},
		{":0", v6, false, "", "http://127.0.0.1:81"},
		{"[::]:81", v6, false, "", "http://[::1]:81"},
		{"papers.example:81", v4, false, "", "http://papers.example:81"},
		{"[::1]:81", v6, false, "a/b/", "http://[::1]:81/a/b"},
		{"10.0.0.1:81", v4, true, "/", "https://10.0.0.1:81"},
		{"0.0.0.0:81", v4, true, "", "https://" + name + ":81"},
	} {
		require.Equal(t, c.want, URL(c.requested, c.addr, c.tls, c.base), c.requested)
	}
}

// slowHandler answers when released.
type slowHandler struct{ entered, release chan struct{} }

func (h slowHandler) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	close(h.entered)
	<-h.release
	fmt.Fprint(w, "done")
}

func TestServeFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	for _, inHurry := range []bool{false, true} {
		l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
		ctx, stop := context.WithCancel(t.Context())
		hurry, hurried := context.WithCancel(t.Context())
		h := slowHandler{make(chan struct{}), make(chan struct{})}
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, hurry, l, h, nil, quiet) }()
		replied := make(chan error, 1)
		go func() {
			reply, err := http.Get("http://" + l.Addr().String())
			if err == nil {
				_, err = io.ReadAll(reply.Body)
			}
			replied <- err
		}()
		<-h.entered
		stop()
		require.Eventually(t, func() bool { // no new connections from now on
			c, err := net.Dial("tcp", l.Addr().String())
			if err == nil {
				c.Close()
			}
			return err != nil
		}, testrun.Patience(), time.Millisecond)
		if inHurry {
			hurried()
			require.NoError(t, <-ended)
			require.Error(t, <-replied)
			close(h.release)
			continue
		}
		close(h.release)
		require.NoError(t, <-replied)
		require.NoError(t, <-ended)
		hurried()
	}
}

func TestServeSpeaksTLS(t *testing.T) {
	t.Parallel()
	cert, key := writeCertificate(t)
	certificate := testrun.Must(LoadCertificate(cert, key))(t)
	l := testrun.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, t.Context(), l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }), certificate, quiet)
	}()
	pool := x509.NewCertPool()
	pem := testrun.Must(os.ReadFile(cert))(t)
	require.True(t, pool.AppendCertsFromPEM(pem))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	require.NoError(t, testrun.Must((&http.Client{Transport: transport}).Get("https://"+l.Addr().String()))(t).Body.Close())
	transport.CloseIdleConnections()
	stop()
	require.NoError(t, <-ended)

	_, err := LoadCertificate(key, cert)
	require.ErrorContains(t, err, "certificate")
}

// writeCertificate creates a certificate for 127.0.0.1.
func writeCertificate(t *testing.T) (cert, key string) {
	private := testrun.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der := testrun.Must(x509.CreateCertificate(rand.Reader, template, template, private.Public(), private))(t)
	secret := testrun.Must(x509.MarshalPKCS8PrivateKey(private))(t)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}
