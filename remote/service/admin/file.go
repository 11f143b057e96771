package admin

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"paperfs/remote/durable"
)

// copyFile copies a small private file durably.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return replaceFile(to, in)
}

// replaceFile writes a small private file durably. If it fails, the old file stays.
func replaceFile(to string, text io.Reader) error {
	out, err := os.OpenFile(to+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, text)
	return durable.Replace(to, out, err)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
