package enginetest

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/kit/temporary"
	"paperfs/remote/testrun"
)

// ObjectStore is an object store on a local port.
type ObjectStore struct {
	*temporary.ObjectStore
	dir string
}

var shared struct {
	sync.Mutex
	server *ObjectStore
}

// SharedObjectStore returns a server that all tests of a program share. Tests must not stop it. Without
// versitygw it skips the test.
func SharedObjectStore(t testing.TB) *ObjectStore {
	t.Helper()
	needObjectStore(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		var err error
		if shared.server, err = startObjectStore(); err != nil {
			t.Fatal(err)
		}
	}
	return shared.server
}

// StartObjectStore starts a server for one test, which may stop it.
func StartObjectStore(t testing.TB) *ObjectStore {
	t.Helper()
	needObjectStore(t)
	s, err := startObjectStore()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		os.RemoveAll(s.dir)
	})
	return s
}

// StartObjectStoreIn is StartObjectStore with a directory of the test.
func StartObjectStoreIn(t testing.TB, dir string) *ObjectStore {
	t.Helper()
	needObjectStore(t)
	o, err := temporary.StartObjectStore(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &ObjectStore{o, dir}
	t.Cleanup(func() { s.Stop() })
	return s
}

func startObjectStore() (*ObjectStore, error) {
	dir, err := os.MkdirTemp("", "paperfs-objects-")
	if err != nil {
		return nil, err
	}
	o, err := temporary.StartObjectStore(dir, "")
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &ObjectStore{o, dir}, nil
}

func needObjectStore(t testing.TB) {
	t.Helper()
	if err := temporary.FindObjectStore(); err != nil {
		testrun.Missing(t, err.Error())
	}
}

// Restart starts a stopped server again on the same port.
func (s *ObjectStore) Restart(t testing.TB) {
	t.Helper()
	again, err := temporary.StartObjectStore(s.dir, s.Host)
	if err != nil {
		t.Fatal(err)
	}
	s.ObjectStore = again
}

// Address puts the server's credentials into the environment of the test, and returns the address
// of a new place.
func (s *ObjectStore) Address(t testing.TB) string {
	return s.AddressVia(t, s.Host)
}

// AddressVia is Address with another host through which the server is reached.
func (s *ObjectStore) AddressVia(t testing.TB, host string) string {
	t.Helper()
	for name, value := range temporary.Credentials() {
		t.Setenv(name, value)
	}
	return temporary.NewAddress(host)
}

// AddressBeside is Address for parallel tests: the credentials stay in the environment.
func (s *ObjectStore) AddressBeside(t testing.TB) string {
	t.Helper()
	return s.AddressBesideVia(t, s.Host)
}

// AddressBesideVia is AddressBeside with another host through which the server is reached.
func (s *ObjectStore) AddressBesideVia(t testing.TB, host string) string {
	t.Helper()
	for name, value := range temporary.Credentials() {
		if err := os.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return temporary.NewAddress(host)
}

// Objects returns the names of the objects at an address, below its prefix, and the number of
// unfinished uploads.
func (s *ObjectStore) Objects(t testing.TB, address string) (names []string, uploads int) {
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
