// Package s3test is an object store for tests: versitygw over a directory that goes
// with it.
//
// A server ends with its test, and when the program of the test ends in any other
// way: it is the child of a shell that reads from a pipe of that program.
package s3test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	program = "versitygw"
	bucket  = "paperfs"
	access  = "tests"
	secret  = "tests' secret key"
)

// Server is an object store on a port of this machine.
type Server struct {
	Host string // with the port
	dir  string
	pipe io.WriteCloser // its end ends the server
	over chan struct{}
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
		dir, err := os.MkdirTemp("", "paperfs-s3test-")
		if err == nil {
			shared.server, err = run(dir, "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return shared.server
}

// Start starts a server for a test, which may stop it.
func Start(t testing.TB) *Server {
	t.Helper()
	need(t)
	dir, err := os.MkdirTemp("", "paperfs-s3test-")
	if err != nil {
		t.Fatal(err)
	}
	s, err := run(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		os.RemoveAll(dir)
	})
	return s
}

func need(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return
	}
	if os.Getenv("PAPERFS_TEST_STRICT") == "1" {
		t.Fatalf("%s is missing", program)
	}
	t.Skipf("%s is missing: go install github.com/versity/versitygw/cmd/versitygw, see .ci/run", program)
}

// Stop kills the server. What it has stays.
func (s *Server) Stop() {
	_, _ = io.WriteString(s.pipe, "keep\n")
	_ = s.pipe.Close()
	<-s.over
}

// Restart has a server that was stopped serve again, at the same port.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	again, err := run(s.dir, s.Host)
	if err != nil {
		t.Fatal(err)
	}
	s.pipe, s.over = again.pipe, again.over
}

// watched runs a program and kills it when its input ends. The directory goes with
// it, but where a line tells to keep it.
const watched = `dir=$1; shift; "$@" < /dev/null & read -r keep; kill -9 $!; wait $!; test "$keep" || rm -rf "$dir"`

func run(dir, host string) (s *Server, err error) {
	for range 5 { // another program may take the port first
		at := host
		if at == "" {
			if at, err = freePort(); err != nil {
				return nil, err
			}
		}
		if s, err = runAt(dir, at); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func runAt(dir, host string) (*Server, error) {
	objects, sidecar := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata")
	for _, d := range []string{filepath.Join(objects, bucket), sidecar} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	c := exec.Command("sh", "-c", watched, "sh", dir,
		program, "--quiet", "--keep-alive", "--port", host, "posix", "--sidecar", sidecar, objects)
	c.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+access, "ROOT_SECRET_KEY="+secret)
	log, err := os.Create(filepath.Join(dir, "log")) // a pipe would end the shell when nobody reads any more
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.Stdout, c.Stderr = log, log
	pipe, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	s := &Server{Host: host, dir: dir, pipe: pipe, over: make(chan struct{})}
	go func() {
		_ = c.Wait()
		close(s.over)
	}()
	if err := s.ready(); err != nil {
		s.Stop()
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return s, nil
}

// ready waits until the server answers.
func (s *Server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		there, err := s.client().BucketExists(ctx, bucket)
		if there {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", program, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) client() *minio.Client {
	c, err := minio.New(s.Host, &minio.Options{Creds: credentials.NewStaticV4(access, secret, ""), Region: "us-east-1", MaxRetries: 1})
	if err != nil {
		panic(err)
	}
	return c
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Address gives the test the credentials of the server, in the environment, and
// returns the address of a place that nobody else has.
func (s *Server) Address(t testing.TB) string {
	return s.AddressVia(t, s.Host)
}

// AddressVia is Address for those who reach the server through another host.
func (s *Server) AddressVia(t testing.TB, host string) string {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", access)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
	return place(host)
}

// AddressBeside is Address for tests that may run beside others: the credentials stay in
// the environment.
func (s *Server) AddressBeside(t testing.TB) string {
	t.Helper()
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret} {
		if err := os.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	return place(s.Host)
}

// place is an address that nobody else has.
func place(host string) string { return "s3://" + host + "/" + bucket + "/" + uuid.NewString() }

// Objects are the names of what is at an address, below its prefix, and how many
// uploads are not over.
func (s *Server) Objects(t testing.TB, address string) (names []string, uploads int) {
	t.Helper()
	_, prefix, _ := strings.Cut(address, "/"+bucket+"/")
	for o := range s.client().ListObjects(t.Context(), bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		names = append(names, strings.TrimPrefix(o.Key, prefix+"/"))
	}
	for o := range s.client().ListIncompleteUploads(t.Context(), bucket, prefix, true) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		uploads++
	}
	return names, uploads
}
