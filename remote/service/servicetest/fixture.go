package servicetest

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"sync"
	"testing"

	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/datadir"
	"paperfs/remote/service/pdf/pdftest"
	"paperfs/remote/service/sqlitestore"
)

func init() { sqlitestore.Strict = true }

// Fixture is an embedded service behind a listener on loopback, with an empty
// tenant and its admin account.
type Fixture struct {
	URL      string // with the base path
	Username string
	Password string
	Service  *service.Service
	Data     string // directory

	t    testing.TB
	stop func()
}

// Start starts a service in a new directory; it ends with the test. It logs
// nothing unless Options.Log is set.
func Start(t testing.TB, opts ...func(*service.Options)) *Fixture {
	t.Helper()
	return StartIn(t, t.TempDir(), opts...)
}

// StartIn is Start in a directory that may have been served before.
func StartIn(t testing.TB, data string, opts ...func(*service.Options)) *Fixture {
	t.Helper()
	o := service.Options{Data: data, PDFCache: PDFCache(), PDFWorker: pdftest.Command(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, set := range opts {
		set(&o)
	}
	o.Apart = In(t, data).Apart(t)
	s, err := service.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	stop := sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
		if err := s.Close(); err != nil {
			t.Errorf("close the service: %v", err)
		}
	})
	t.Cleanup(stop)
	url := server.URL + o.BasePath
	if err := s.WriteClientEnv(url, o.RPM); err != nil {
		t.Fatal(err)
	}
	env, err := datadir.ReadClientEnv(data)
	if err != nil {
		t.Fatal(err)
	}
	return &Fixture{URL: url, Username: env.Username, Password: env.Password, Service: s, Data: data, t: t, stop: stop}
}

// Stop ends the service before the test does; StartIn serves its Data again.
func (f *Fixture) Stop() { f.stop() }

// Admin opens the service's data as the admin command does; it is closed with
// the test.
func (f *Fixture) Admin() *admin.Admin {
	f.t.Helper()
	return In(f.t, f.Data).Admin(f.t)
}
