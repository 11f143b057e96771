// Package s3test is an object store for tests: versitygw over a directory that goes
// with it.
package s3test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/temporary"
)

// Server is an object store on a port of this machine.
type Server struct {
	*temporary.ObjectStore
	dir string
}

var shared struct {
	sync.Mutex
	server *Server
}

// Shared is a server that the tests of a program have in common. It is not to be
// stopped. Tests are skipped where there is no versitygw.
func Shared(t testing.TB) *Server {
	t.Helper()
	need(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		var err error
		if shared.server, err = start(); err != nil {
			t.Fatal(err)
		}
	}
	return shared.server
}

// Start starts a server for a test, which may stop it.
func Start(t testing.TB) *Server {
	t.Helper()
	need(t)
	s, err := start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		os.RemoveAll(s.dir)
	})
	return s
}

// StartIn is Start over a directory of the test's.
func StartIn(t testing.TB, dir string) *Server {
	t.Helper()
	need(t)
	o, err := temporary.StartObjectStore(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{o, dir}
	t.Cleanup(func() { s.Stop() })
	return s
}

func start() (*Server, error) {
	dir, err := os.MkdirTemp("", "paperfs-s3test-")
	if err != nil {
		return nil, err
	}
	o, err := temporary.StartObjectStore(dir, "")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &Server{o, dir}, nil
}

func need(t testing.TB) {
	t.Helper()
	err := temporary.FindObjectStore()
	if err != nil && os.Getenv("PAPERFS_TEST_STRICT") == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skip(err)
	}
}

// Restart has a server that was stopped serve again, at the same port.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	again, err := temporary.StartObjectStore(s.dir, s.Host)
	if err != nil {
		t.Fatal(err)
	}
	s.ObjectStore = again
}

// Address gives the test the credentials of the server, in the environment, and
// returns the address of a place that nobody else has.
func (s *Server) Address(t testing.TB) string {
	return s.AddressVia(t, s.Host)
}

// AddressVia is Address for those who reach the server through another host.
func (s *Server) AddressVia(t testing.TB, host string) string {
	t.Helper()
	for name, value := range temporary.Credentials() {
		t.Setenv(name, value)
	}
	return temporary.NewAddress(host)
}

// AddressBeside is Address for tests that may run beside others: the credentials stay in
// the environment.
func (s *Server) AddressBeside(t testing.TB) string {
	t.Helper()
	for name, value := range temporary.Credentials() {
		if err := os.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return temporary.NewAddress(s.Host)
}

// Objects are the names of what is at an address, below its prefix, and how many
// uploads are not over.
func (s *Server) Objects(t testing.TB, address string) (names []string, uploads int) {
	t.Helper()
	_, prefix, _ := strings.Cut(address, "/"+temporary.Bucket+"/")
	for o := range s.Client().ListObjects(t.Context(), temporary.Bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, strings.TrimPrefix(o.Key, prefix+"/"))
	}
	for o := range s.Client().ListIncompleteUploads(t.Context(), temporary.Bucket, prefix, true) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		uploads++
	}
	return names, uploads
}
