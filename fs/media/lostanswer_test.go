package media_test

import (
	"context"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/remote"
)

// lateTree loses answers to uploads, and holds back trees while late is locked.
type lateTree struct {
	forgetful
	late sync.RWMutex
}

func (s *lateTree) GetTreeIfChanged(ctx context.Context, known remote.Validator) (remote.MediaTree, remote.Validator, error) {
	s.late.RLock()
	defer s.late.RUnlock()
	return s.Service.GetTreeIfChanged(ctx, known)
}

// opening tells when a file is open for writing, or its open waits.
type opening struct {
	fuse.RawFileSystem
	opened chan struct{}
}

func (o *opening) Open(cancel <-chan struct{}, in *fuse.OpenIn, out *fuse.OpenOut) fuse.Status {
	returned := make(chan struct{})
	if in.Flags&syscall.O_ACCMODE != syscall.O_RDONLY {
		go func() {
			select {
			case <-returned:
			case <-time.After(200 * time.Millisecond):
			}
			select {
			case o.opened <- struct{}{}:
			default:
			}
		}()
	}
	defer close(returned)
	return o.RawFileSystem.Open(cancel, in, out)
}

// TestItsOwnUploadIsNoConflictBetweenOpenAndWrite checks an upload whose answer was lost, and a tree that arrives when the
// next program has opened the file and written nothing.
func TestItsOwnUploadIsNoConflictBetweenOpenAndWrite(t *testing.T) {
	t.Parallel()
	service, gate := new(lateTree), &opening{opened: make(chan struct{}, 1)}
	m := newMount(t, func(o *media.Options) { service.Service, o.Service = o.Service, service })
	m.stop()
	m.under = func(raw fuse.RawFileSystem) fuse.RawFileSystem { gate.RawFileSystem = raw; return gate }
	m.start()
	m.sh(`printf old > f; printf one > ../one`)
	service.loses.Store(true)
	m.fails(`cp ../one f`)
	service.loses.Store(false)
	m.eventually(func() bool { return len(m.store.Failed()) == 1 })
	require.Equal(t, map[string]string{"f": sum("one")}, m.atService(), "only the answer was lost")
	<-gate.opened // of cp
	service.late.Lock()
	go func() {
		<-gate.opened
		service.late.Unlock()
	}()
	goOn := m.paused(`perl -e 'use Fcntl; sysopen F, "f", O_WRONLY or die $!; $| = 1; print "ready\n"; <STDIN>; syswrite F, "two" or die $!; close F or die $!'`)
	require.NoError(t, m.store.Refresh(t.Context()))
	said, err := goOn()
	require.NoError(t, err, said)
	require.Equal(t, map[string]string{"f": sum("two")}, m.atService())
	require.Len(t, m.store.Failed(), 1)
}
