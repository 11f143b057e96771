package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paperfs/remote/durable"
)

// copyFile marks a directory as the target of an unfinished copy. It is the first file of the
// copy to be created and the last to be removed. It contains the source of the copy.
const copyFile = "copy-not-finished"

// MarkCopy marks a directory as the target of a copy that is about to start.
func MarkCopy(data, from string) error {
	file := filepath.Join(data, copyFile)
	f, err := os.CreateTemp(data, copyFile+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, from)
	return durable.Replace(file, f, err)
}

// EndCopy removes the mark once the copy is complete.
func EndCopy(data string) error {
	err := os.Remove(filepath.Join(data, copyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, durable.SyncDir(data))
}

// checkCopy rejects a directory with the mark.
func checkCopy(data string) error {
	from, err := os.ReadFile(filepath.Join(data, copyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return &ForeignDataError{
		Why:    fmt.Sprintf("%s is an unfinished copy of %s", data, strings.TrimSpace(string(from))),
		Advice: "Run the same paperfs admin copy again: it continues where it stopped. Or remove the directory to start without it",
	}
}
