package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paperfs/remote/service/store"
)

// ReadStill is Store.Read of a database that it leaves as it is, with all that
// lies beside it: another process may have it open, or was killed with it open,
// or the disk is read-only. f is called again, and has to begin again, where what
// it read has changed.
func ReadStill(ctx context.Context, file string, f func(store.Reader) error) error {
	return readStill(ctx, file, func(db *sql.DB) error {
		s := Store{reading: pool{db: db}}
		s.ScanPages.Store(scanPages)
		return s.Read(ctx, f)
	})
}

// readStill has f read a database in a way that changes no file. SQLite alone
// would make the log and its index where they are missing, and write the index
// of a process that was killed.
//
//	beside the database     | because                | it is read
//	------------------------+------------------------+---------------------------
//	a log and its index     | in use, or of a killed | by SQLite, with its locks
//	a log's header alone    | killed, or begun now   | as it is
//	no log, or an empty one | nobody has it open     | as it is
//	a log without its index | a copy, or a power cut | in a copy
//	a journal               | cut off, older         | in a copy
//
// SQLite, which makes an index of its own of what a killed process left, takes the
// log for changed again and again where that is its header alone (SQLITE_PROTOCOL).
//
// What is read without locks is read again where it has changed, and so is what
// the last who had it open has closed just then, with its log and index.
func readStill(ctx context.Context, file string, f func(*sql.DB) error) error {
	for try := 1; ; try++ {
		before, err := lookBeside(file)
		if err != nil {
			return err
		}
		headed := before.log.size == logHeader
		shared := before.log.there && before.index && !headed
		switch {
		case shared:
			err = readLocked(file, f)
		case (before.log.size == 0 || headed) && before.journal.size == 0:
			err = read(file, "mode=ro&immutable=1", f)
		default:
			err = readCopy(file, f)
		}
		if ctx.Err() != nil {
			return err
		}
		if shared {
			if code(err) == sqlite3.SQLITE_CANTOPEN && try < closedTries {
				continue
			}
			return err
		}
		if after, failed := lookBeside(file); failed != nil || after == before {
			return errors.Join(err, failed)
		}
	}
}

// logHeader is how long a log is before anything is in it.
const logHeader = 32

// closedTries bounds how often a database may be closed in the moment between
// the look and the opening, before it is taken for one that cannot be opened.
const closedTries = 100

// Damaged reports whether a failure is that of a database whose file is damaged.
func Damaged(err error) bool { return code(err) == sqlite3.SQLITE_CORRUPT }

// code is SQLite's for a failure, without what it adds for some; 0 for another's.
func code(err error) int {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		return failure.Code() & 0xff
	}
	return 0
}

// logSuffix, indexSuffix and journalSuffix are of the files that SQLite puts
// beside a database.
const (
	logSuffix     = "-wal"
	indexSuffix   = "-shm"
	journalSuffix = "-journal"
)

// beside is what lies beside a database, and when each was changed.
type beside struct {
	database, log, journal trace
	index                  bool
}

type trace struct {
	there    bool
	size     int64
	modified int64
}

func lookBeside(file string) (b beside, err error) {
	var index trace
	for suffix, t := range map[string]*trace{"": &b.database, logSuffix: &b.log, journalSuffix: &b.journal, indexSuffix: &index} {
		info, failed := os.Stat(file + suffix)
		if failed == nil {
			*t = trace{true, info.Size(), info.ModTime().UnixNano()}
		} else if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	b.index = index.there
	return b, err
}

// readLocked leaves the index to those who write, as far as that goes: where
// they have left no place for one more reader, it takes one as they do.
func readLocked(file string, f func(*sql.DB) error) error {
	err := read(file, locked+"&readonly_shm=1", f)
	if code(err) == sqlite3.SQLITE_READONLY {
		return read(file, locked, f)
	}
	return err
}

const locked = "mode=ro&_pragma=busy_timeout(300000)"

func read(file, parameters string, f func(*sql.DB) error) error {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+parameters)
	if err != nil {
		return err
	}
	return errors.Join(f(db), db.Close())
}

// readCopy reads a copy with what has to be brought into it first. Where there is
// no room for one, SQLite makes its index: better than no start at all.
func readCopy(file string, f func(*sql.DB) error) (err error) {
	dir, err := os.MkdirTemp("", "paperfs-") // its user's alone
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	to := filepath.Join(dir, filepath.Base(file))
	for _, suffix := range []string{"", logSuffix, journalSuffix} {
		err := copyFile(file+suffix, to+suffix)
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
			return read(file, locked, f)
		}
		if err != nil {
			return err
		}
	}
	return read(to, "", f)
}

// copyFile copies a file; one that is not there is no error.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
