package doctor

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/servicetest"
)

// look checks a service, and returns the findings by check.
func look(t *testing.T, s Service, o remote.Options) map[string]string {
	t.Helper()
	client, err := remote.New(o)
	require.NoError(t, err)
	defer client.Close()
	s.URL, s.RootURL, s.Client = o.BaseURL, orRoot(s.RootURL), client
	if s.Lookup == nil {
		s.Lookup = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	}
	if s.Now == nil {
		s.Now = time.Now
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
	found := look(t, Service{Credentials: true}, options)
	require.Equal(t, "ok: 127.0.0.1 is an IP address", found["name"])
	require.Equal(t, "ok: by plain http, on this machine", found["connection"])
	require.Equal(t, "ok: agrees with the service's, within two minutes", found["clock"])
	require.Regexp(t, `^ok: the service offers \d+ for papers and media$`, found["operations"])
	require.Equal(t, "ok: accepted; the root is /", found["credentials"])
	require.Len(t, proxy.Requests(), 3, "doctor sends three requests")

	found = look(t, Service{Credentials: true, RootURL: "/none/"}, options)
	require.Equal(t, `failure: accepted, but the service has nothing at the address "/none/" | Set --root-url or --root-id to a category of the service`, found["credentials"])
	found = look(t, Service{}, options)
	require.Contains(t, found["credentials"], "warning: not checked: none are set for http://127.0.0.1")
	options.Password = "wrong"
	found = look(t, Service{Credentials: true}, options)
	require.Regexp(t, `^failure: .* \| Check PAPERFS_USERNAME and the password$`, found["credentials"])
	named := look(t, Service{Credentials: true, Named: func(setting string) string { return setting + " of profile acme (config.toml:3)" }}, options)
	require.Regexp(t, `^failure: .* \| Check username of profile acme \(config\.toml:3\) and the password$`, named["credentials"])
	require.NotContains(t, fmt.Sprint(found), "wrong", "no finding contains the password")
	for ahead, want := range map[time.Duration]string{
		time.Hour:  "warning: the clock here is 1h0m0s ahead of the service's",
		-time.Hour: "warning: the clock here is 1h0m0s behind the service's",
	} {
		late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Unix(1800000000, 0).UTC().Format(http.TimeFormat))
		}))
		defer late.Close()
		found = look(t, Service{Now: func() time.Time { return time.Unix(1800000000, 0).Add(ahead) }}, remote.Options{BaseURL: late.URL})
		require.Contains(t, found["clock"], want)
		require.Equal(t, "warning: the service has no WSDL, so the operations that it offers are not known", found["operations"])
	}
}

func TestOperationsThatAreMissing(t *testing.T) {
	twenty := servicetest.Start(t, func(o *service.Options) { o.NoExtended = true })
	options := remote.Options{BaseURL: twenty.URL, Username: twenty.Username, Password: twenty.Password}
	require.Contains(t, look(t, Service{}, options)["operations"], "warning: the service offers 14 for papers and media, but not DeletePaper, ")
	require.Equal(t, "ok: the service offers 14 for papers and media", look(t, Service{OnlyTwenty: true}, options)["operations"])

	// Another server has a WSDL for each group.
	groups := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, op := range remote.Operations {
			if strings.HasPrefix(r.URL.Path, "/V2/"+op.Group+".asmx") && op != remote.MovePaper {
				fmt.Fprintf(w, `<operation name="%s">`, op.Name)
			}
		}
	}))
	defer groups.Close()
	require.Equal(t, "failure: the service lacks MovePaper, without which a mount does not work | Check that PAPERFS_URL is the address of the right service",
		look(t, Service{}, remote.Options{BaseURL: groups.URL})["operations"])
}

// TestEachFailureOfTheWaySaysWhatMendsIt checks the text of each finding about the connection.
func TestEachFailureOfTheWaySaysWhatMendsIt(t *testing.T) {
	dns := func(e net.DNSError) Service {
		return Service{Lookup: func(context.Context, string) ([]string, error) { return nil, &e }}
	}
	dead := remote.Options{BaseURL: "https://publications.invalid", Username: "me", Password: "secret"}
	require.Equal(t, map[string]string{"name": "failure: the name publications.invalid does not exist | Check the address (PAPERFS_URL), then run: getent hosts publications.invalid"},
		look(t, dns(net.DNSError{Name: "publications.invalid", IsNotFound: true}), dead))
	require.Equal(t, map[string]string{"name": "failure: publications.invalid cannot be looked up: no name server answers (i/o timeout) | Run: resolvectl status (or cat /etc/resolv.conf)"},
		look(t, dns(net.DNSError{Name: "publications.invalid", Err: "i/o timeout", IsTimeout: true}), dead))
	refusing := "http://" + strings.TrimPrefix(servicetest.Refusing(t), "http://")
	require.Regexp(t, `^failure: 127\.0\.0\.1:\d+ refuses the connection: nothing listens there \| Run: curl -sI http://127`, look(t, Service{}, remote.Options{BaseURL: refusing})["connection"])

	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	require.Regexp(t, `^failure: 127\S+ does not speak TLS \| If it speaks plain http, write the address with http://$`,
		look(t, Service{}, remote.Options{BaseURL: strings.Replace(plain.URL, "http:", "https:", 1)})["connection"])

	for _, c := range []struct {
		host    string
		ends    time.Duration
		trusted bool
		want    string
	}{
		{"127.0.0.1", 24 * time.Hour * 365, false, `^failure: the service's certificate is from CN=test, which this machine does not trust \| If that is your organisation's own, give its certificate: --ca-file FILE`},
		{"127.0.0.1", 24 * time.Hour * 365, true, `^ok: by TLS; its certificate is valid until \d{4}-\d\d-\d\d$`},
		{"127.0.0.1", 49 * time.Hour, true, `^warning: by TLS; its certificate ends in [12] days, on \S+ \| Have the service's certificate renewed$`},
		{"127.0.0.1", -time.Hour, true, `^failure: the service's certificate is not valid now, .* \| Compare with: date \(then have the certificate renewed\)$`},
		{"127.0.0.2", 24 * time.Hour * 365, true, `^failure: the service's certificate is for another name: .*127\.0\.0\.2.* \| Run: openssl s_client -connect 127`},
	} {
		url, ca := secured(t, c.host, c.ends)
		o := remote.Options{BaseURL: url}
		if c.trusted {
			o.CAFile = ca
		}
		require.Regexp(t, c.want, look(t, Service{}, o)["connection"])
	}
	base := &url.URL{Scheme: "https", Host: "x.example"}
	require.Equal(t, "failure: x.example does not answer: a firewall may block it, or the machine is off | Run: curl -sI https://x.example/", said(explain(base, "PAPERFS_URL", context.DeadlineExceeded)))
	require.Equal(t, "failure: there is no connection to x.example: odd | Run: curl -sI https://x.example/", said(explain(base, "PAPERFS_URL", errors.New("odd"))))
}

// secured starts a server with a certificate for a host that expires after ends. It returns the
// server's address and the file of the certificate's authority.
func secured(t *testing.T, host string, ends time.Duration) (url, ca string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(ends), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.Config.ErrorLog = nil
	s.StartTLS()
	t.Cleanup(s.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return s.URL, ca
}

func TestTheBudgetAndTheSettings(t *testing.T) {
	for want, c := range map[string]Check{
		"ok: at most 45 requests a minute (doctor sends up to 3 more)":                                                Budget(45, false, nil),
		"ok: no limit: the service is the embedded one":                                                               Budget(0, true, nil),
		"warning: paperfs does not limit its requests; the service may refuse some (429) | Set it to 45: PAPERFS_RPM": Budget(0, false, nil),
		"warning: 60 requests a minute: the service asks for fewer than 50 | Set it to 45: PAPERFS_RPM":               Budget(60, false, nil),
		"failure: contradictory": Unusable("settings", errors.New("contradictory")),
	} {
		require.Equal(t, want, said(c.Look(t.Context())[0]))
	}
	file := filepath.Join(t.TempDir(), "password")
	require.Contains(t, said(PasswordFile(file, nil).Look(t.Context())[0]), "| Check PAPERFS_PASSWORD_FILE")
	require.NoError(t, os.WriteFile(file, []byte("x"), 0o600))
	require.Equal(t, "ok: "+file+", readable only by you", said(PasswordFile(file, nil).Look(t.Context())[0]))
	require.NoError(t, os.Chmod(file, 0o644))
	require.Equal(t, "warning: "+file+" can be read by other users (mode 0644) | Run: chmod 600 "+file, said(PasswordFile(file, nil).Look(t.Context())[0]))
}

// TestMediaStores checks the findings about stores that are sound, damaged, or of an older or newer
// paperfs, and that doctor changes none of them.
func TestMediaStores(t *testing.T) {
	home := t.TempDir()
	dirs := state.AccountDirs(home, home+"/cache", "https://a.example", "me")
	st, err := state.Open(dirs, "/mnt")
	require.NoError(t, err)
	require.Empty(t, state.Unheld(home), "a mount holds the state")
	store, err := media.Open(media.Options{State: st})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	require.NoError(t, st.Close())
	require.Equal(t, []string{dirs.State}, state.Unheld(home))
	check := func() string {
		found := MediaStores(state.Unheld(home)).Look(t.Context())
		require.Len(t, found, 1)
		return said(found[0])
	}
	require.Equal(t, "ok: "+dirs.State+" is sound", check())
	change := func(statement string) {
		db, err := sql.Open("sqlite", state.Database(dirs.State))
		require.NoError(t, err)
		_, err = db.Exec(statement)
		require.NoError(t, errors.Join(err, db.Close()))
	}
	change("INSERT INTO media_block (number, inodes) VALUES (9, x'78')")
	database, err := os.ReadFile(state.Database(dirs.State))
	require.NoError(t, err)
	damaged := dirs.State + "/damaged"
	require.Equal(t, "failure: "+dirs.State+" is inconsistent: the inodes in the state of media/ are damaged | Run: mkdir "+damaged+" && mv "+dirs.State+"/state.db* "+damaged+
		"/ (the next mount creates a new one, and puts what was not yet on the service into .paperfs/failed)", check())
	again, err := os.ReadFile(state.Database(dirs.State))
	require.NoError(t, err)
	require.Equal(t, database, again)
	change("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	require.Regexp(t, `^failure: \S+/state\.db was written by a newer paperfs .* \| Install the newer paperfs$`, check())
	change("DELETE FROM goose_db_version WHERE version_id > 1")
	require.Equal(t, "ok: "+dirs.State+" is sound", check(), "an older database is sound: the next mount updates it")
	require.NoError(t, os.WriteFile(state.Database(dirs.State), []byte("no database, but long enough for a header"), 0o600))
	require.Contains(t, check(), " is inconsistent: file is not a database")

	// After the proposed command, doctor finds no problem, even if a whole directory was set aside.
	_, mend, _ := strings.Cut(check(), "Run: ")
	command, _, _ := strings.Cut(mend, " (")
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "ok: "+dirs.State+" is empty", check())
	require.NoError(t, os.WriteFile(filepath.Join(dirs.State, "spool", "1-1"), []byte("content"), 0o600))
	lost := "warning: " + dirs.State + " has lost its database (state.db); the next mount begins a new one, and shows what is in spool/ and failed/ there (files: 1) in .paperfs/failed, partly without names | Mount again, then run: ls MOUNTPOINT/.paperfs/failed"
	require.Equal(t, lost, check())
	require.NoError(t, os.WriteFile(state.Database(dirs.State), nil, 0o600))
	require.Equal(t, lost, check())
	require.Contains(t, state.SetAside(dirs.State), "/damaged-2")
	require.NoError(t, os.Rename(dirs.State, dirs.State+".damaged"))
	require.Empty(t, state.Unheld(home))

	for want, ask := range map[string]func() (string, error){
		"ok: the store of /mnt is sound":                          func() (string, error) { return "", nil },
		"warning: the store of /mnt cannot be checked: no answer": func() (string, error) { return "", errors.New("no answer") },
	} {
		require.Equal(t, want, said(MountedStore("/mnt", ask).Look(t.Context())[0]))
	}
	require.Contains(t, said(MountedStore("/mnt", func() (string, error) { return "one\ntwo" + strings.Repeat(" three", 200), nil }).Look(t.Context())[0]),
		"failure: the store of /mnt is inconsistent: one; two three")
}

// TestServiceDataThatIsDamaged checks that doctor reports the damage and changes nothing.
func TestServiceDataThatIsDamaged(t *testing.T) {
	f := servicetest.Start(t)
	require.Equal(t, "ok: records and content agree; files of content: 0", said(serviceData(t.Context(), f.Data)), "while the service runs")
	f.Stop()
	require.Equal(t, "ok: records and content agree; files of content: 0", said(serviceData(t.Context(), f.Data)))
	require.Regexp(t, `^ok: there is none in \S+/none yet$`, said(serviceData(t.Context(), filepath.Join(f.Data, "none"))))
	database := filepath.Join(f.Data, "service.db")
	require.NoError(t, os.WriteFile(database, []byte("no database"), 0o600))
	require.Regexp(t, `^failure: \S+/service\.db is not a database of paperfs \| Restore the right one`, said(serviceData(t.Context(), f.Data)))
	text, err := os.ReadFile(database)
	require.NoError(t, err)
	require.Equal(t, "no database", string(text))
}
