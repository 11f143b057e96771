package temporary

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket is the bucket in which NewAddress makes places.
const Bucket = "paperfs"

const (
	program = "versitygw"
	access  = "tests"
	secret  = "tests' secret key"
)

// ObjectStore is an object store on a local port: versitygw on a directory.
type ObjectStore struct {
	Host string // with port
	pipe io.WriteCloser
	over chan struct{}
}

// FindObjectStore returns ErrMissing if no object store can be started.
func FindObjectStore() error {
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Errorf("%s is %w: go install github.com/versity/versitygw/cmd/versitygw, see .ci/run", program, ErrMissing)
	}
	return nil
}

// StartObjectStore starts an object store on a directory, at a host that it had before or, if
// that is empty, at a free port. When StartObjectStore returns, the object store answers.
func StartObjectStore(dir, host string) (o *ObjectStore, err error) {
	if err := FindObjectStore(); err != nil {
		return nil, err
	}
	for range 5 { // another program may take the port first
		at := host
		if at == "" {
			if at, err = freePort(); err != nil {
				return nil, err
			}
		}
		if o, err = startAt(dir, at); err == nil {
			return o, nil
		}
	}
	return nil, err
}

// runObjectStore runs a program and kills it when its input ends. It also removes the directory,
// unless the input is a line that says to keep it.
const runObjectStore = `dir=$1; shift; "$@" < /dev/null & read -r keep; kill -9 $!; wait $!; test "$keep" || rm -rf "$dir"`

func startAt(dir, host string) (*ObjectStore, error) {
	objects, sidecar := filepath.Join(dir, "objects"), filepath.Join(dir, "metadata")
	for _, d := range []string{filepath.Join(objects, Bucket), sidecar} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	c := exec.Command("sh", "-c", runObjectStore, "sh", dir,
		program, "--quiet", "--keep-alive", "--port", host, "posix", "--sidecar", sidecar, objects)
	c.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+access, "ROOT_SECRET_KEY="+secret)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	log, err := os.Create(filepath.Join(dir, "log")) // a pipe would kill the shell once no process reads it
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
	o := &ObjectStore{Host: host, pipe: pipe, over: make(chan struct{})}
	go func() {
		_ = c.Wait()
		close(o.over)
	}()
	if err := o.ready(); err != nil {
		o.Stop()
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("%w\n%s", err, said)
	}
	return o, nil
}

// ready waits until the server answers.
func (o *ObjectStore) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		there, err := o.Client().BucketExists(ctx, Bucket)
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

// Client returns a client of the object store.
func (o *ObjectStore) Client() *minio.Client {
	c, err := minio.New(o.Host, &minio.Options{Creds: credentials.NewStaticV4(access, secret, ""), Region: "us-east-1", MaxRetries: 1})
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

// NewAddress returns the address of a new place for clients that reach the object store at a
// host: its own, or that of a proxy in front of it.
func NewAddress(host string) string { return "s3://" + host + "/" + Bucket + "/" + uuid.NewString() }

// Credentials returns the credentials of every object store of this package, as environment
// variables.
func Credentials() map[string]string {
	return map[string]string{"AWS_ACCESS_KEY_ID": access, "AWS_SECRET_ACCESS_KEY": secret}
}

// Stop kills the object store and keeps its data.
func (o *ObjectStore) Stop() {
	_, _ = io.WriteString(o.pipe, "keep\n")
	o.Close()
}

// Close kills the object store and removes its directory.
func (o *ObjectStore) Close() {
	_ = o.pipe.Close()
	<-o.over
}
