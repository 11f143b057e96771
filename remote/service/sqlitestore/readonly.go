package sqlitestore

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/service/store"
	"paperfs/remote/shellword"
)

// unwritable says which file SQLite cannot write, and what to do, where SQLite says only that the
// database is read-only or cannot be opened, or that it or its index of the log cannot grow, as on a
// full disk. It returns other errors as they are.
func unwritable(file string, err error) error {
	failure, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case !ok || file == "":
		return err
	case failure.Code() == sqlite3.SQLITE_IOERR_SHMSIZE, code(err) == sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w on the disk of %s, and the database needs some, even to be read. Free some there: %w", store.ErrNoSpace, file, err)
	case code(err) != sqlite3.SQLITE_READONLY && code(err) != sqlite3.SQLITE_CANTOPEN:
		return err
	}
	for _, path := range []string{file, file + logSuffix, file + indexSuffix, filepath.Dir(file)} {
		denied := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
		switch {
		case errors.Is(denied, unix.EROFS):
			return fmt.Errorf("%s is on a disk that is mounted read-only, and the database needs writes, even to be read: %w", path, err)
		case errors.Is(denied, unix.EACCES), errors.Is(denied, unix.EPERM):
			return fmt.Errorf("%s may not write %s, and the database needs that, even to be read. %s: %w", userName(os.Geteuid()), path, remedy(path), err)
		}
	}
	return err
}

// remedy returns what lets this process write to a path.
func remedy(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "Change the permissions of its directory"
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() {
		return "Run: chmod u+w " + shellword.Quote(path)
	}
	return fmt.Sprintf("Run paperfs as its owner, %s", userName(int(owner.Uid)))
}

func userName(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return fmt.Sprintf("user %d", id)
}
