package media_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"paperfs/cache/media"
	"paperfs/remote/service"
	"paperfs/remote/service/admin"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// disk is a service's disk, which a test can fill.
type disk struct {
	fixture    *servicetest.Fixture
	fill, free func()
}

// disks are a service that only reports a full disk, and one on a small disk that is really full.
var disks = map[string]func(t *testing.T) disk{
	"no room": func(t *testing.T) disk {
		var full atomic.Bool
		fixture := servicetest.Start(t, func(o *service.Options) { o.NoRoom = full.Load })
		return disk{fixture, func() { full.Store(true) }, func() { full.Store(false) }}
	},
	"small disk": func(t *testing.T) disk {
		dir := smallDisk(t)
		filler := filepath.Join(dir, "filler")
		return disk{
			servicetest.StartIn(t, filepath.Join(dir, "data")),
			func() {
				var s unix.Statfs_t
				require.NoError(t, unix.Statfs(dir, &s))
				require.NoError(t, os.WriteFile(filler, make([]byte, int64(s.Bavail)*s.Bsize-(3<<20)), 0o600)) // leaves room for the service's records
			},
			func() { require.NoError(t, os.Remove(filler)) },
		}
	},
}

// smallDisk mounts a disk of 32 MiB, which needs root.
func smallDisk(t *testing.T) string {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=32m"); err != nil {
		testrun.Missing(t, "a small disk ("+err.Error()+")")
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestAFullServiceIsENOSPC checks that cp reports that there is no space, that the content is in
// failed/ with the reason, and that a copy succeeds once there is space.
func TestAFullServiceIsENOSPC(t *testing.T) {
	t.Parallel()
	for name, open := range disks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			m := newMountOn(t, d.fixture)
			m.sh(`head -c 4000000 /dev/zero > ../large; echo small > ../small; echo old > known`)
			want := m.atService()
			d.fill()
			require.Contains(t, m.fails(`cp ../large large`), "No space left on device")
			require.Contains(t, m.fails(`cp ../large known`), "No space left on device")
			m.eventually(func() bool { return len(m.store.Failed()) == 2 })
			require.Equal(t, want, m.atService())
			m.eventually(func() bool { return m.sh(`cat known`) == "old" }) // the mount shows it once the last handle is closed
			require.Contains(t, m.store.Failed()[0].Reason, "disk is full")
			if name == "no room" { // the small disk has room left for small files
				require.Contains(t, m.fails(`cp ../small small`), "No space left on device")
			}
			d.free()
			m.sh(`cp ../large large; cmp ../large large`)
			require.Contains(t, m.atService(), "large")
		})
	}
}

// TestTheQueueWaitsForAFullService checks that nothing moves to failed/, and that the mount sends
// all files once there is space.
func TestTheQueueWaitsForAFullService(t *testing.T) {
	t.Parallel()
	for name, open := range disks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			m := newMountOn(t, d.fixture, writeBack)
			m.sh(`head -c 4000000 /dev/zero > ../large`)
			d.fill()
			m.sh(`cp ../large one; cp ../large two`)
			m.eventually(func() bool {
				for _, q := range m.store.Queue() {
					if q.LastError != "" {
						require.Contains(t, q.LastError, "disk is full")
						return true
					}
				}
				return false
			})
			require.Empty(t, m.store.Failed())
			d.free()
			m.drained()
			require.Len(t, m.atService(), 2)
		})
	}
}

// TestAQuotaIsEDQUOTAtAWrite checks that a write which can never be published fails, once the service has said so, and no write
// that can: of a file that replaces one, of one that stays here, after a deletion here, and once the service is asked again.
func TestAQuotaIsEDQUOTAtAWrite(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]func(*media.Options){"direct": {deleting}, "write-back": {deleting, writeBack}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			fixture := servicetest.Start(t)
			m := newMountOn(t, fixture, options...)
			m.sh(`head -c 50000 /dev/zero > known; head -c 40000 /dev/zero > other`)
			m.drained()
			quota := func(bytes int64) {
				require.NoError(t, fixture.Admin().ChangeTenant("default", func(t *admin.TenantSettings) error {
					t.Quota.MediaBytes = &bytes
					return nil
				}))
			}
			quota(100_000)
			require.NoError(t, m.store.Refresh(t.Context()))
			written := func(name string, bytes int) string {
				return fmt.Sprintf(`python3 -c '
import os
f = os.open("%s", os.O_WRONLY | os.O_CREAT)
try: os.write(f, bytes(%d)); print("written")
except OSError as e: print(e.strerror)
try: os.close(f)
except OSError as e: print("close:", e.strerror)'`, name, bytes)
			}
			require.Equal(t, "written", m.sh(written("known", 60_000))) // exactly full
			m.drained()
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, "written", m.sh(written(".stays", 70_000)))
			require.Equal(t, "Disk quota exceeded\nclose: Disk quota exceeded", m.sh(written("new", 1)))
			m.sh(`rm -f new; rm other`)
			require.Equal(t, "written", m.sh(written("new", 40_000)))
			m.drained()
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, "Disk quota exceeded\nclose: Disk quota exceeded", m.sh(written("late", 1)))
			quota(200_000)
			require.NoError(t, m.store.Refresh(t.Context()))
			require.Equal(t, "written", m.sh(written("late", 1)))
			m.drained()
			require.Len(t, m.atService(), 3)
			require.Empty(t, m.store.Failed(), "what a refused write left is worth nothing")
		})
	}
}

// TestAnOldQuotaRefusesNoWrite checks that a write goes on if what was told of the quota is old, and that the close tells.
func TestAnOldQuotaRefusesNoWrite(t *testing.T) {
	t.Parallel()
	fixture := servicetest.Start(t)
	m := newMountOn(t, fixture, looking)
	quota := func(bytes int64) {
		require.NoError(t, fixture.Admin().ChangeTenant("default", func(t *admin.TenantSettings) error {
			t.Quota.MediaBytes = &bytes
			return nil
		}))
	}
	for _, told := range []string{"Disk quota exceeded", ""} {
		quota(1)
		require.NoError(t, m.store.Refresh(t.Context()))
		if told == "" {
			quota(1000)
		}
		require.Equal(t, told, m.sh(`python3 -c '
import os
f = os.open("new", os.O_WRONLY | os.O_CREAT)
os.write(f, bytes(100))
try: os.close(f)
except OSError as e: print(e.strerror)'`))
	}
}

// TestAQuotaIsEDQUOT checks that cp reports the exceeded quota, and that the content is in failed/
// with the reason, also with --write-back. A retry sends it once there is room.
func TestAQuotaIsEDQUOT(t *testing.T) {
	t.Parallel()
	for mode, options := range map[string][]func(*media.Options){"direct": nil, "write-back": {writeBack}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			fixture := servicetest.Start(t)
			administrator := fixture.Admin()
			quota := func(bytes int64) {
				require.NoError(t, administrator.ChangeTenant("default", func(t *admin.TenantSettings) error {
					t.Quota.MediaBytes = &bytes
					return nil
				}))
			}
			m := newMountOn(t, fixture, options...)
			m.sh(`head -c 70000 /dev/zero > ../large; head -c 50000 /dev/zero > known`)
			want := m.atService()
			quota(100_000)
			copies := `cp ../large large`
			if mode == "direct" {
				require.Contains(t, m.fails(copies), "Disk quota exceeded")
			} else {
				m.sh(copies)
			}
			m.eventually(func() bool { return len(m.store.Failed()) == 1 })
			require.Contains(t, m.store.Failed()[0].Reason, "media quota of 100000 bytes")
			require.Equal(t, want, m.atService())
			m.sh(`cp ../large known`) // there is room for it in place of the old content
			require.Equal(t, map[string]string{"known": sum(strings.Repeat("\x00", 70000))}, m.atService())
			quota(200_000)
			require.NoError(t, m.store.RetryFailed(t.Context(), m.store.Failed()[0].Name, media.Root, "large", true))
			require.Len(t, m.atService(), 2)
		})
	}
}
