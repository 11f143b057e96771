package admin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"paperfs/remote/service/datadir"
)

// markFile marks a directory as a backup. It is the first file that a backup creates, so that an
// interrupted backup is recognized, too.
const markFile = "backup.json"

// backupMark is the content of markFile.
type backupMark struct {
	Data string `json:"data"` // the id that ties the contents to the database
	// Databases are the sums of the database: the one that a backup was about to replace, and the
	// one that replaces it.
	Databases []string `json:"databases"`
}

// readMark returns nil if there is no mark.
func readMark(dir string) (*backupMark, error) {
	file := filepath.Join(dir, markFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	mark := &backupMark{}
	if err := json.Unmarshal(text, mark); err != nil {
		return nil, fmt.Errorf("%s does not describe a backup, give an empty directory: %w", file, err)
	}
	return mark, nil
}

func (k *backupMark) write(dir string) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(dir, markFile), bytes.NewReader(text))
}

// findMark returns the mark of a directory that a backup of the data may use; nil if the
// directory is new. A directory with anything else is an error.
func findMark(dir, data, id string) (*backupMark, error) {
	// The directory is read before the mark: a concurrent backup creates its mark before other
	// files.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	mark, err := readMark(dir)
	if err != nil {
		return nil, err
	}
	started := func(e os.DirEntry) bool { return e.Name() == datadir.LockFile || e.Name() == markFile+".new" }
	if mark != nil && mark.Data == id || mark == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !started(e) }) {
		return mark, nil
	}
	return nil, fmt.Errorf("%s holds something other than a backup of %s, or one that an older paperfs made: give an empty directory", dir, data)
}

// checkUnchanged returns an error unless the database is as a backup left it, or does not exist
// yet. A service that ran on the backup, or a person who worked with it, may have added data that
// exists nowhere else.
func (k *backupMark) checkUnchanged(dir string) error {
	database := filepath.Join(dir, datadir.DatabaseFile)
	changed := fmt.Errorf("%s has changed since the last backup: a service ran there, or a command changed it. This backup changed nothing; give an empty directory", dir)
	if log, err := os.Stat(database + "-wal"); err == nil && log.Size() > 0 {
		return changed
	}
	sum, err := databaseSum(database)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !slices.Contains(k.Databases, sum) {
		return changed
	}
	return err
}

// databaseSum returns the SHA-256 in hexadecimal of a database that no process has open. It
// ignores the header fields that merely reading the database can change: the journal mode, the
// change counter, and the version that goes with it.
func databaseSum(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	header := make([]byte, 100)
	n, err := io.ReadFull(f, header)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	clear(header[18:20])
	clear(header[24:28])
	clear(header[92:100])
	sum := sha256.New()
	sum.Write(header[:n])
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
