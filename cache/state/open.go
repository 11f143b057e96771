package state

import (
	"errors"
	"os"
	"path/filepath"

	"paperfs/remote/durable"
)

// Open creates the account's directories (mode 0700), locks them for the mount at
// mountpoint, and opens the database, migrated to the current schema.
//
// Errors: *HeldError if another mount has the account, *durable.NewerError if a newer
// paperfs wrote the database.
func Open(d Dirs, mountpoint string) (*State, error) {
	for _, dir := range []string{d.State, d.Cache} {
		if err := durable.MakeDir(dir); err != nil {
			return nil, err
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, err
		}
	}
	lock, err := takeLock(filepath.Join(d.State, lockName), mountpoint)
	if err != nil {
		return nil, err
	}
	s := &State{dirs: d, mountpoint: mountpoint, lock: lock}
	if s.db, s.source, err = openDatabase(s.path()); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	s.logMu.Lock()
	defer s.logMu.Unlock()
	if err := s.openLog(); err != nil {
		return nil, errors.Join(err, s.db.Close(), lock.Release())
	}
	return s, nil
}

// Close closes the database and releases the account for another mount.
func (s *State) Close() error {
	if s.unwatch != nil {
		close(s.unwatch)
		<-s.watched
	}
	s.logMu.Lock()
	s.closeLog()
	s.logMu.Unlock()
	if lost, ok := errors.AsType[*LostError](s.WriteBack()); ok && lost.Err != nil {
		return errors.Join(lost, s.db.Close(), s.lock.Release())
	}
	return errors.Join(s.db.Close(), s.lock.Release())
}
