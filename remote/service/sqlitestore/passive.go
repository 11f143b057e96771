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
	sqlite3 "modernc.org/sqlite/lib"
)

// readPassive runs f on a database in a way that changes no file. SQLite alone would create a
// missing log and index, and rewrite the index that a killed process left behind.
//
//	next to the database    | because                | how it is read
//	------------------------+------------------------+---------------------------
//	a log and its index     | in use, or killed      | by SQLite, with its locks
//	only a log's header     | killed, or just opened | directly, without locks
//	no log, or an empty one | no process has it open | directly, without locks
//	a log without its index | a copy, or a power cut | in a copy
//	a journal               | interrupted, older     | in a copy
//
// SQLite rebuilds the index of a killed process. If the log is only a header, SQLite repeatedly
// takes it for changed (SQLITE_PROTOCOL).
//
// readPassive starts over if a file that it read without locks has changed, or if at that moment
// the last process with the database open closed it, which removes log and index.
func readPassive(ctx context.Context, file string, f func(*sql.DB) error) error {
	for try := 1; ; try++ {
		before, err := statFiles(file)
		if err != nil {
			return err
		}
		headerOnly := before.log.size == logHeader
		shared := before.log.there && before.index && !headerOnly
		switch {
		case shared:
			err = readLocked(file, f)
		case (before.log.size == 0 || headerOnly) && before.journal.size == 0:
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
		if after, failed := statFiles(file); failed != nil || after == before {
			return errors.Join(err, failed)
		}
	}
}

// logHeader is the size of an empty log.
const logHeader = 32

// closedTries limits how often other processes may close the database between readPassive's check
// and its opening. After that, readPassive returns the error.
const closedTries = 100

// SQLite adds these suffixes to the database's name for its other files.
const (
	logSuffix     = "-wal"
	indexSuffix   = "-shm"
	journalSuffix = "-journal"
)

// fileStates describes a database and the files next to it, with the time of their last change.
type fileStates struct {
	database, log, journal fileState
	index                  bool
}

type fileState struct {
	there    bool
	size     int64
	modified int64
}

func statFiles(file string) (b fileStates, err error) {
	var index fileState
	for suffix, t := range map[string]*fileState{"": &b.database, logSuffix: &b.log, journalSuffix: &b.journal, indexSuffix: &index} {
		info, failed := os.Stat(file + suffix)
		if failed == nil {
			*t = fileState{true, info.Size(), info.ModTime().UnixNano()}
		} else if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	b.index = index.there
	return b, err
}

// readLocked leaves the index to writers if possible. If the index has no free slot for a reader,
// it takes one, as a writer would.
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

// readCopy reads a copy, into which SQLite first merges the log or journal. If there is no space
// for a copy, it lets SQLite write its index: that is better than not starting at all.
func readCopy(file string, f func(*sql.DB) error) (err error) {
	dir, err := os.MkdirTemp("", "paperfs-") // private to the user
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

// copyFile copies a file. A missing file is no error.
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

// isThere returns false for a missing or empty file.
func isThere(file string) (bool, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}
