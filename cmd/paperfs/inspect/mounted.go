package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"paperfs/fs/control"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// mounted is a live mount, which commands access through its files.
type mounted struct{ dir string }

// findMounted returns the mount that contains a path, and the path from its root, without
// slashes at the ends.
func findMounted(path string) (mounted, string, error) {
	m, inside, err := mountpoint.Find(path)
	return mounted{m.Dir}, strings.Trim(inside, "/"), err
}

// inMount runs a command with the mount that contains its first argument, and the path from
// the mount's root.
func inMount(run func(cmd *cobra.Command, m mounted, inside string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		m, inside, err := findMounted(args[0])
		if err != nil {
			return err
		}
		return run(cmd, m, inside)
	}
}

func (m mounted) control(name string) string { return filepath.Join(m.dir, ".paperfs", name) }

func (m mounted) status() (control.Status, []byte, error) {
	var s control.Status
	text, err := m.read("status")
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, text, err
}

// ask asks a file of .paperfs, and reads the answer from the same handle.
func (m mounted) ask(name, question string) ([]byte, error) {
	f, err := m.answered(name, question)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// answered returns a file of .paperfs with the answer to a question.
func (m mounted) answered(name, question string) (*os.File, error) {
	put := func(f *os.File) error { _, err := f.WriteString(question + "\n"); return err }
	f, err := m.open(name, os.O_RDWR)
	if errors.Is(err, unix.EROFS) {
		put = func(f *os.File) error { return control.Ask(f, question) }
		f, err = m.open(name, os.O_RDONLY)
	}
	if err != nil {
		return nil, err
	}
	if err := put(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tell writes one value to a file of .paperfs.
func (m mounted) tell(name, value string) error {
	f, err := m.open(name, os.O_WRONLY)
	if errors.Is(err, unix.EROFS) {
		return fmt.Errorf("the mount at %s is for reading: it sends nothing, and keeps what is queued", m.dir)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(value + "\n")
	return errors.Join(err, f.Close())
}

// saysWhy adds to a refused read, write or removal the command that explains the errno.
func saysWhy(err error, file string) error {
	if at, ok := errors.AsType[*fs.PathError](err); !ok || at.Op != "read" && at.Op != "write" && at.Op != "remove" {
		return err // the operation did not reach the file
	}
	return fmt.Errorf("%w (`paperfs why %s` says more)", err, shellword.Quote(file))
}
