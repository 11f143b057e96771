package programtest

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// The test binary of a command has all of the command in it. So it can be the program under test, which
// saves linking that: PutSelf makes it appear under the program's name, and TestMain calls main if IsSelf
// says that it runs under that name. The name alone decides, because the program starts itself again,
// without its environment.

// IsSelf reports whether this process runs the test binary under a program's name.
func IsSelf(name string) bool {
	self, err := os.Executable()
	return err == nil && filepath.Base(self) == name
}

// PutSelf makes the test binary appear in a directory, under a program's name. A symbolic link would not
// do, because a program finds its name by its file.
func PutSelf(dir, name string) (path string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	if os.Link(self, path) == nil { // otherwise it is on another file system
		return path, nil
	}
	return path, copyProgram(self, path)
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
