package inode

import (
	"syscall"
	"testing"
	"testing/synctest"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"
)

// slow is a file system that answers requests once answer is closed.
type slow struct {
	fuse.RawFileSystem
	answer chan struct{}
}

func (s slow) wait() fuse.Status {
	<-s.answer
	return fuse.OK
}

func (s slow) Lookup(<-chan struct{}, *fuse.InHeader, string, *fuse.EntryOut) fuse.Status {
	return s.wait()
}
func (s slow) ReadDir(<-chan struct{}, *fuse.ReadIn, *fuse.DirEntryList) fuse.Status {
	return s.wait()
}
func (s slow) ReadDirPlus(<-chan struct{}, *fuse.ReadIn, *fuse.DirEntryList) fuse.Status {
	return s.wait()
}
func (s slow) Create(<-chan struct{}, *fuse.CreateIn, string, *fuse.CreateOut) fuse.Status {
	return s.wait()
}
func (s slow) Mknod(<-chan struct{}, *fuse.MknodIn, string, *fuse.EntryOut) fuse.Status {
	return s.wait()
}
func (s slow) Mkdir(<-chan struct{}, *fuse.MkdirIn, string, *fuse.EntryOut) fuse.Status {
	return s.wait()
}
func (s slow) Symlink(<-chan struct{}, *fuse.InHeader, string, string, *fuse.EntryOut) fuse.Status {
	return s.wait()
}
func (s slow) Link(<-chan struct{}, *fuse.LinkIn, string, *fuse.EntryOut) fuse.Status {
	return s.wait()
}
func (s slow) Unlink(<-chan struct{}, *fuse.InHeader, string) fuse.Status         { return s.wait() }
func (s slow) Rmdir(<-chan struct{}, *fuse.InHeader, string) fuse.Status          { return s.wait() }
func (s slow) Rename(<-chan struct{}, *fuse.RenameIn, string, string) fuse.Status { return s.wait() }
func (s slow) Read(<-chan struct{}, *fuse.ReadIn, []byte) (fuse.ReadResult, fuse.Status) {
	return nil, s.wait()
}
func (s slow) Write(<-chan struct{}, *fuse.WriteIn, []byte) (uint32, fuse.Status) {
	return 0, s.wait()
}
func (s slow) GetAttr(<-chan struct{}, *fuse.GetAttrIn, *fuse.AttrOut) fuse.Status { return s.wait() }

// kernel accepts all notifications.
type kernel struct{ gofs.ServerCallbacks }

func (kernel) EntryNotify(uint64, string) fuse.Status          { return fuse.OK }
func (kernel) DeleteNotify(uint64, uint64, string) fuse.Status { return fuse.OK }
func (kernel) InodeNotify(uint64, int64, int64) fuse.Status    { return fuse.OK }
func (kernel) InodeNotifyStoreCache(uint64, int64, []byte) fuse.Status {
	return fuse.OK
}

// TestRequestsDelayNoticesAsTheTableSays checks the table of the package's documentation.
func TestRequestsDelayNoticesAsTheTableSays(t *testing.T) {
	at := fuse.InHeader{NodeId: 7}
	requests := map[string]func(f *FS){
		"LOOKUP":      func(f *FS) { f.Lookup(nil, &at, "", nil) },
		"READDIR":     func(f *FS) { f.ReadDir(nil, &fuse.ReadIn{InHeader: at}, nil) },
		"READDIRPLUS": func(f *FS) { f.ReadDirPlus(nil, &fuse.ReadIn{InHeader: at}, nil) },
		"CREATE":      func(f *FS) { f.Create(nil, &fuse.CreateIn{InHeader: at}, "", nil) },
		"MKNOD":       func(f *FS) { f.Mknod(nil, &fuse.MknodIn{InHeader: at}, "", nil) },
		"MKDIR":       func(f *FS) { f.Mkdir(nil, &fuse.MkdirIn{InHeader: at}, "", nil) },
		"SYMLINK":     func(f *FS) { f.Symlink(nil, &at, "", "", nil) },
		"LINK":        func(f *FS) { f.Link(nil, &fuse.LinkIn{InHeader: at}, "", nil) },
		"UNLINK":      func(f *FS) { f.Unlink(nil, &at, "") },
		"RMDIR":       func(f *FS) { f.Rmdir(nil, &at, "") },
		"RENAME away": func(f *FS) { f.Rename(nil, &fuse.RenameIn{InHeader: at, Newdir: 8}, "", "") },
		"RENAME to":   func(f *FS) { f.Rename(nil, &fuse.RenameIn{InHeader: fuse.InHeader{NodeId: 8}, Newdir: 7}, "", "") },
		"RENAME in":   func(f *FS) { f.Rename(nil, &fuse.RenameIn{InHeader: at, Newdir: 7}, "", "") },
	}
	waiting := map[string]func(n notifier){
		"entry":   func(n notifier) { n.EntryNotify(7, "x") },
		"removal": func(n notifier) { n.DeleteNotify(7, 9, "x") },
		"listing": func(n notifier) { n.InodeNotify(7, 0, 0) },
	}
	free := map[string]func(n notifier){
		"elsewhere":  func(n notifier) { n.EntryNotify(6, "x") },
		"attributes": func(n notifier) { n.InodeNotify(7, -1, 0) },
		"store":      func(n notifier) { n.InodeNotifyStoreCache(7, 0, nil) },
	}
	for name, request := range requests {
		synctest.Test(t, func(t *testing.T) {
			f := &FS{RawFileSystem: slow{answer: make(chan struct{})}, to: kernel{}}
			answered := after(func() { request(f) })
			require.False(t, answered())
			var told []func() bool
			for what, notify := range waiting {
				done := after(func() { notify(notifier{f}) })
				require.False(t, done(), "%s, %s", name, what)
				told = append(told, done)
			}
			for what, notify := range free {
				require.True(t, after(func() { notify(notifier{f}) })(), "%s, %s", name, what)
			}
			close(f.RawFileSystem.(slow).answer)
			require.True(t, answered())
			for _, done := range told {
				require.True(t, done(), name)
			}
			require.Empty(t, f.table.nodes, name)
		})
	}
	for name, request := range map[string]func(f *FS){
		"GETATTR": func(f *FS) { f.GetAttr(nil, &fuse.GetAttrIn{InHeader: at}, nil) },
		"READ":    func(f *FS) { f.Read(nil, &fuse.ReadIn{InHeader: at}, nil) },
		"WRITE":   func(f *FS) { f.Write(nil, &fuse.WriteIn{InHeader: at}, nil) },
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &FS{RawFileSystem: slow{answer: make(chan struct{})}, to: kernel{}}
			answered := after(func() { request(f) })
			require.False(t, answered())
			require.True(t, after(func() { notifier{f}.EntryNotify(7, "x") })(), "a %s delays no notification", name)
			close(f.RawFileSystem.(slow).answer)
			require.True(t, answered())
		})
	}
}

// TestEveryNotificationGoesThroughTheTable checks that a notification waits for the table, even
// after Init.
func TestEveryNotificationGoesThroughTheTable(t *testing.T) {
	root := &gofs.Inode{}
	f := NewFS(root, &gofs.Options{})
	f.Init(nil)
	f.to = kernel{}
	synctest.Test(t, func(t *testing.T) {
		f.table = inFlight{}
		f.table.enter(1)
		told := after(func() { require.Equal(t, syscall.Errno(0), root.NotifyEntry("x")) })
		require.False(t, told())
		f.table.leave(1)
		require.True(t, told())
	})
}
