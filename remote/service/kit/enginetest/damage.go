package enginetest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"paperfs/remote/service/kit/temporary"
)

// under returns the name of an object below the prefix of an address.
func under(address, name string) string {
	_, prefix, _ := strings.Cut(address, "/"+temporary.Bucket+"/")
	return prefix + "/" + name
}

// Remove removes an object without the knowledge of the stores that use it.
func (s *ObjectStore) Remove(t testing.TB, address, name string) {
	t.Helper()
	if err := s.Client().RemoveObject(t.Context(), temporary.Bucket, under(address, name), minio.RemoveObjectOptions{}); err != nil {
		t.Fatal(err)
	}
}

// Put adds an object of the given age without the knowledge of the stores.
func (s *ObjectStore) Put(t testing.TB, address, name string, content []byte, age time.Duration) {
	t.Helper()
	_, err := s.Client().PutObject(t.Context(), temporary.Bucket, under(address, name), bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(s.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "/"+under(address, name)) {
			return os.Chtimes(path, time.Time{}, time.Now().Add(-age))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
