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
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/sqlitestore"
)

func init() { sqlitestore.Strict = true }

// Fixture is a service behind a listener on loopback, with an empty tenant and its admin account.
type Fixture struct {
	URL      string // with the base path
	Username string
	Password string
	Service  *service.Service
	Data     string   // directory
	Nodes    []string // base URLs of the two nodes behind URL; nil if there is one service

	t    testing.TB
	stop func()
}

// Start starts a service in a new directory; it ends with the test. It logs only if Options.Log
// is set.
func Start(t testing.TB, opts ...func(*service.Options)) *Fixture {
	t.Helper()
	data := t.TempDir()
	Migrate(t, data)
	return StartIn(t, data, opts...)
}

// StartIn is Start in a directory that may have been served before.
func StartIn(t testing.TB, data string, opts ...func(*service.Options)) *Fixture {
	t.Helper()
	o := service.Options{Data: data, PDFCache: PDFCache(), PDFWorker: PDFWorker(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	for _, set := range opts {
		set(&o)
	}
	place := In(t, data)
	o.Apart = place.Apart(t)
	s, url, stop := serve(t, o)
	f := &Fixture{URL: url, Service: s, Data: data, t: t, stop: stop}
	if place.twoNodes {
		f.addNode(place, o)
	}
	if err := s.WriteClientEnv(f.URL, o.RPM); err != nil {
		t.Fatal(err)
	}
	env, err := datadir.ReadClientEnv(data)
	if err != nil {
		t.Fatal(err)
	}
	f.Username, f.Password = env.Username, env.Password
	return f
}

// serve opens a service behind a listener; both end with the test, or by stop.
func serve(t testing.TB, o service.Options) (_ *service.Service, url string, stop func()) {
	t.Helper()
	s, err := service.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	stop = sync.OnceFunc(func() {
		server.CloseClientConnections()
		server.Close()
		if err := s.Close(); err != nil {
			t.Errorf("close the service: %v", err)
		}
	})
	t.Cleanup(stop)
	return s, server.URL + o.BasePath, stop
}

// Stop ends the service before the test ends. StartIn can serve its Data again.
func (f *Fixture) Stop() { f.stop() }

// Admin opens the service's data like the admin command. It is closed at the end of the test.
func (f *Fixture) Admin() *admin.Admin {
	f.t.Helper()
	return In(f.t, f.Data).Admin(f.t)
}

// Generate fills the tenant default, beside the service.
func (f *Fixture) Generate(spec generate.Spec) {
	f.t.Helper()
	In(f.t, f.Data).Generate(f.t, spec)
}
