package spool

import (
	"os"
	"syscall"
)

// A service in this process does not copy a large spool: it gives the same inode another name, among its own
// contents, and its backups may give it further ones. One late write would damage them all. So before a
// spool is offered it is sealed: no descriptor of this process can write to it any more, whether
// the service takes it or not. The next write of a program begins another spool. A spool of an earlier run that
// has more than one name counts as sealed.

// Seal ends the writes to sp, which must be open and not in use, and makes its Content offer the file. If it
// fails, nothing is offered.
func (sp *File) Seal() {
	if sp.sealed {
		return
	}
	writable := sp.F
	if sp.openSealed() != nil {
		sp.F = writable
		return
	}
	sp.sealed = true
	_ = writable.Close() // nothing is buffered
}

// Sealed reports whether sp must not be written to.
func (sp *File) Sealed() bool { return sp.sealed }

func (sp *File) openSealed() (err error) {
	sp.F, err = os.Open(sp.Path)
	return err
}

// linked reports whether the file at path has other names, too.
func linked(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Sys().(*syscall.Stat_t).Nlink > 1
}

// empty makes the file at path an empty one, also one that its owner may only read. Another name of the file keeps the content.
func empty(path string) error {
	if !linked(path) {
		_ = os.Chmod(path, 0o600)
		return os.Truncate(path, 0)
	}
	return Write(path, nil)
}

// Write makes content that of the file at path, or leaves it as it is.
func Write(path string, content []byte) error {
	if err := os.WriteFile(path+UnfinishedEnd, content, 0o600); err != nil {
		return err
	}
	return os.Rename(path+UnfinishedEnd, path)
}
