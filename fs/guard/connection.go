package guard

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// fusectl is where the kernel has a directory for each connection.
const (
	fusectl = "/sys/fs/fuse/connections"
	magic   = 0x65735543 // its type, as statfs(2) tells it
)

// Connection is the kernel's connection of a FUSE mount.
type Connection struct {
	number string
	// directory is the inode number of its directory in fusectl. The kernel reuses a
	// connection's number soon after its end, but not the pair of both numbers.
	directory uint64
}

// Of is the connection of a mount whose device is "MAJOR:MINOR". It fails where
// fusectl is not there.
func Of(device string) (Connection, error) {
	_, number, _ := strings.Cut(device, ":")
	c := Connection{number: number}
	var s unix.Stat_t
	if err := unix.Stat(c.path(""), &s); err != nil {
		return c, c.words(err)
	}
	c.directory = s.Ino
	return c, nil
}

// Parse reads what String wrote.
func Parse(text string) (c Connection, ok bool) {
	number, directory, found := strings.Cut(text, " ")
	ino, err := strconv.ParseUint(directory, 10, 64)
	return Connection{number, ino}, found && err == nil
}

// String names the connection for good, in one line.
func (c Connection) String() string { return c.number + " " + strconv.FormatUint(c.directory, 10) }

// Device is that of its mounts, "MAJOR:MINOR".
func (c Connection) Device() string { return "0:" + c.number }

// Abort ends the connection: a call that waits for an answer gets ECONNABORTED, and
// a later one ENOTCONN. One that has ended needs nothing. An error says in
// words what to do.
func (c Connection) Abort() error {
	abort, err := c.open()
	if err != nil || abort == nil {
		return err
	}
	defer abort.Close()
	if _, err := abort.WriteString("1"); err != nil {
		return c.words(err)
	}
	return nil
}

// open opens the connection's abort file, nil where it has ended. Once it is
// open it stands for this connection alone.
func (c Connection) open() (*os.File, error) {
	abort, err := os.OpenFile(c.path("/abort"), os.O_WRONLY, 0)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) && mounted() {
			return nil, nil
		}
		return nil, c.words(err)
	}
	var s unix.Stat_t
	if unix.Stat(c.path(""), &s) != nil || s.Ino != c.directory {
		abort.Close()
		return nil, nil
	}
	return abort, nil
}

func (c Connection) path(file string) string { return fusectl + "/" + c.number + file }

// words returns why the connection cannot be used, and what to do as root.
func (c Connection) words(err error) error {
	how := "echo 1 > " + c.path("/abort")
	if !mounted() {
		how = "mount -t fusectl none " + fusectl + "; " + how
		err = syscall.ENOENT
	}
	return fmt.Errorf("kernel connection %s cannot be ended from here (%w). Run as root: %s", c.number, err, how)
}

// mounted reports whether fusectl is there.
func mounted() bool {
	var s unix.Statfs_t
	return unix.Statfs(fusectl, &s) == nil && s.Type == magic
}
