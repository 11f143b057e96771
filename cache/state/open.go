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
	if err := s.hold("", lockName); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	if s.db, err = s.openDatabase(); err != nil {
		s.release("", lockName)
		return nil, errors.Join(err, lock.Release())
	}
	s.logMu.Lock()
	err = s.openLog()
	s.logMu.Unlock()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the database and releases the account for another mount.
func (s *State) Close() error {
	s.logMu.Lock()
	s.closeLog()
	s.logMu.Unlock()
	err := s.db.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.parts {
		_ = p.file.Close() // nothing was read or written
	}
	s.parts = nil
	return errors.Join(err, s.lock.Release())
}
