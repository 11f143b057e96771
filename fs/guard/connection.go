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

// fusectl has a directory for each connection of the kernel.
const (
	fusectl = "/sys/fs/fuse/connections"
	magic   = 0x65735543 // its file system type in statfs(2)
)

// Connection is the kernel's connection of a FUSE mount.
type Connection struct {
	number string
	// directory is the inode number of its directory in fusectl. The kernel reuses a
	// connection's number soon after its end, but not the pair of both numbers.
	directory uint64
}

// Of returns the connection of the mount on a device "MAJOR:MINOR". It fails if fusectl
// is not mounted.
func Of(device string) (Connection, error) {
	_, number, _ := strings.Cut(device, ":")
	c := Connection{number: number}
	var s unix.Stat_t
	if err := unix.Stat(c.path(""), &s); err != nil {
		return c, c.advice(err)
	}
	c.directory = s.Ino
	return c, nil
}

// Parse parses the result of String.
func Parse(text string) (c Connection, ok bool) {
	number, directory, found := strings.Cut(text, " ")
	ino, err := strconv.ParseUint(directory, 10, 64)
	return Connection{number, ino}, found && err == nil
}

// String returns a lasting name of the connection, in one line.
func (c Connection) String() string { return c.number + " " + strconv.FormatUint(c.directory, 10) }

// Device returns the device of its mounts, "MAJOR:MINOR".
func (c Connection) Device() string { return "0:" + c.number }

// Abort ends the connection: a call that waits for an answer gets ECONNABORTED, and a
// later one ENOTCONN. If the connection has ended already, Abort does nothing. An error
// says what to do.
func (c Connection) Abort() error {
	abort, err := c.open()
	if err != nil || abort == nil {
		return err
	}
	defer abort.Close()
	if _, err := abort.WriteString("1"); err != nil {
		return c.advice(err)
	}
	return nil
}

// open opens the connection's abort file, or returns nil if the connection has ended. The
// open file always stands for this connection.
func (c Connection) open() (*os.File, error) {
	abort, err := os.OpenFile(c.path("/abort"), os.O_WRONLY, 0)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) && mounted() {
			return nil, nil
		}
		return nil, c.advice(err)
	}
	var s unix.Stat_t
	if unix.Stat(c.path(""), &s) != nil || s.Ino != c.directory {
		abort.Close()
		return nil, nil
	}
	return abort, nil
}

func (c Connection) path(file string) string { return fusectl + "/" + c.number + file }

// advice returns why the connection cannot be used, and what to do as root.
func (c Connection) advice(err error) error {
	how := "echo 1 > " + c.path("/abort")
	if !mounted() {
		how = "mount -t fusectl none " + fusectl + "; " + how
		err = syscall.ENOENT
	}
	return fmt.Errorf("kernel connection %s cannot be ended from here (%w). Run as root: %s", c.number, err, how)
}

// mounted reports whether fusectl is mounted.
func mounted() bool {
	var s unix.Statfs_t
	return unix.Statfs(fusectl, &s) == nil && s.Type == magic
}
