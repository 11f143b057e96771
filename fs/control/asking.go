package control

import (
	"os"
	"syscall"
	"unsafe"
)

// maxQuestion is the most bytes that an ioctl(2) passes on.
const maxQuestion = 1<<14 - 1

// asking is the number of the ioctl(2) that asks a question of so many bytes: _IOC(_IOC_WRITE, 'p', 1, size).
func asking(size int) uint32 { return 1<<30 | uint32(size)<<16 | 'p'<<8 | 1 }

// Ask asks a file of .paperfs that answers, and that is open for reading only, as it is in a mount for reading.
func Ask(f *os.File, question string) error {
	text := []byte(question + "\n")
	errno := syscall.E2BIG
	if len(text) <= maxQuestion {
		for errno = syscall.EINTR; errno == syscall.EINTR; {
			_, _, errno = syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), uintptr(asking(len(text))), uintptr(unsafe.Pointer(&text[0])))
		}
	}
	if errno != 0 {
		return &os.PathError{Op: "write", Path: f.Name(), Err: errno}
	}
	return nil
}
