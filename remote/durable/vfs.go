package durable

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// name is SQLite's name of the file system.
const name = "paperfs-datasync"

// VFS is the value of the parameter vfs of a database's name.
func VFS() string {
	register()
	return name
}

// register registers the file system with SQLite: a copy of the usual one with another
// method open.
var register = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	usual = sqlite3.Xsqlite3_vfs_find(tls, 0)
	own = *at[sqlite3.Tsqlite3_vfs](usual)
	zName, err := libc.CString(name) // never freed
	if err != nil {
		panic("datasync: " + err.Error())
	}
	own.FzName, own.FpNext = zName, 0
	own.FxOpen = pointer(open)
	if code := sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&own)), 0); code != sqlite3.SQLITE_OK {
		panic("datasync: SQLite does not take a file system")
	}
})

// SQLite keeps the addresses of own and of kinds, which do not move.
var (
	usual uintptr // SQLite's own file system
	own   sqlite3.Tsqlite3_vfs

	mu    sync.Mutex            // guards kinds
	kinds = map[uintptr]*kind{} // by the methods of the usual file system: one for databases, one for the files next to them
)

// kind has the methods of one kind of files.
type kind struct {
	sqlite3.Tsqlite3_io_methods         // with our sync
	usualSync                   uintptr // the sync that ours replaces
}

// kindOf returns the kind of files that have some methods of the usual file system.
func kindOf(methods uintptr) *kind {
	mu.Lock()
	defer mu.Unlock()
	k := kinds[methods]
	if k == nil {
		k = &kind{Tsqlite3_io_methods: *at[sqlite3.Tsqlite3_io_methods](methods)}
		k.usualSync, k.FxSync = k.FxSync, pointer(syncFile)
		kinds[methods] = k
	}
	return k
}

// open opens a file as the usual file system does, and replaces its methods.
func open(tls *libc.TLS, _, path, file uintptr, flags int32, out uintptr) int32 {
	usualOpen := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[sqlite3.Tsqlite3_vfs](usual).FxOpen)
	code := usualOpen(tls, usual, path, file, flags, out)
	if opened := at[sqlite3.Tsqlite3_file](file); code == sqlite3.SQLITE_OK {
		opened.FpMethods = uintptr(unsafe.Pointer(kindOf(opened.FpMethods)))
	}
	return code
}

// syncFile makes a file durable. It leaves a new file to the usual file system, which also
// syncs the directory.
func syncFile(tls *libc.TLS, file uintptr, flags int32) int32 {
	f := at[sqlite3.TunixFile](file)
	if f.FctrlFlags&sqlite3.UNIXFILE_DIRSYNC != 0 {
		return function[func(*libc.TLS, uintptr, int32) int32](at[kind](f.FpMethod).usualSync)(tls, file, flags)
	}
	if libc.Xfdatasync(tls, f.Fh) == 0 {
		return sqlite3.SQLITE_OK
	}
	f.FlastErrno = *at[int32](libc.X__errno_location(tls))
	return sqlite3.SQLITE_IOERR_FSYNC
}
