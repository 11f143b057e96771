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

// copyFile marks a directory that a copy goes to and that is not whole yet. It comes before
// anything else of the copy, and goes after all of it. It says where the copy comes from.
const copyFile = "copy-not-finished"

// MarkCopy marks a directory as the target of a copy that begins.
func MarkCopy(data, from string) error {
	file := filepath.Join(data, copyFile)
	f, err := os.CreateTemp(data, copyFile+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, from)
	return durable.Replace(file, f, err)
}

// EndCopy takes the mark away, of a copy that is whole.
func EndCopy(data string) error {
	err := os.Remove(filepath.Join(data, copyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, durable.SyncDir(data))
}

// checkCopy refuses a directory with the mark.
func checkCopy(data string) error {
	from, err := os.ReadFile(filepath.Join(data, copyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return &ForeignDataError{
		Why:    fmt.Sprintf("%s is a copy that was cut short, of %s", data, strings.TrimSpace(string(from))),
		Advice: "Run the same paperfs admin copy again: it goes on where it was. Or remove the directory, to begin without it",
	}
}
