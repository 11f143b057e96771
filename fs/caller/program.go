package caller

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Program is a process that is watched by a pidfd: another one that gets its
// number later is not taken for it. It ends with Close.
type Program struct {
	ID uint32 // the thread group
	fd int
}

// Watch begins to watch the process of thread tid, which must be waiting for an
// answer of ours. It is nil where that cannot be seen: it is in another PID
// namespace, or the kernel has no pidfds.
func Watch(tid uint32) *Program {
	if tid == 0 {
		return nil
	}
	id := Process(tid)
	if id == 0 {
		return nil
	}
	fd, err := uninterrupted(func() (int, error) { return unix.PidfdOpen(int(id), 0) })
	if err != nil {
		return nil
	}
	return &Program{ID: id, fd: fd}
}

// Close ends the watching.
func (p *Program) Close() { _ = unix.Close(p.fd) }

// Ended reports whether no thread of it is left; a zombie has ended.
func (p *Program) Ended() bool {
	fds := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}
	n, err := uninterrupted(func() (int, error) { return unix.Poll(fds, 0) })
	return err == nil && n > 0
}

// Fate is what became of a program.
type Fate int

const (
	Unseen Fate = iota // it is gone, and nobody could see how it ended
	Alive
	EndedWell // by itself, whatever its exit code
	WasKilled // by a signal
)

// Fate tells what has become of the program. One that is ending counts as
// ended: until its last file is closed it waits for answers of ours.
func (p *Program) Fate() Fate {
	fate := p.look()
	if p.reaped() { // what was looked at may be another process
		return p.record()
	}
	return fate
}

// look tells a program's fate from /proc. With its memory, any thread is alive,
// and its stat is not looked at: an exec may hold that up. The first thread may
// end before the others.
func (p *Program) look() Fate {
	if hasMemory(p.ID) {
		return Alive
	}
	threads, err := os.ReadDir("/proc/" + strconv.FormatUint(uint64(p.ID), 10) + "/task")
	if err != nil {
		return Unseen
	}
	for _, t := range threads {
		tid, _ := strconv.ParseUint(t.Name(), 10, 32)
		if hasMemory(uint32(tid)) {
			return Alive
		}
	}
	stat, held := statOf(p.ID)
	switch {
	case held || stat == "":
		return Unseen
	case killed(stat, p.ID):
		return WasKilled
	}
	return EndedWell
}

func hasMemory(tid uint32) bool {
	statm, err := read(tid, "statm", make([]byte, 128))
	return err == nil && !bytes.HasPrefix(statm, []byte("0 0 0"))
}

// reaped reports whether the program's number may be another's by now.
func (p *Program) reaped() bool {
	return errors.Is(unix.PidfdSendSignal(p.fd, 0, nil, 0), unix.ESRCH)
}

// record is the fate of a process that is gone, as the kernel keeps it from
// Linux 6.15 on.
func (p *Program) record() Fate {
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	err := unix.IoctlPidfdInfo(p.fd, &info)
	switch {
	case err != nil || info.Mask&unix.PIDFD_INFO_EXIT == 0:
		return Unseen
	case info.Exit_code&0x7f != 0:
		return WasKilled
	}
	return EndedWell
}

// File is an open file as descriptors name it.
type File struct {
	Ino    uint64
	Device string // of the mount, "MAJOR:MINOR"; empty: any
}

// Holds reports whether the program has a descriptor that can write to f. Not
// known is what we may not look at: another user's.
func (p *Program) Holds(f File) (holds, known bool) {
	dir := "/proc/" + strconv.FormatUint(uint64(p.ID), 10) + "/fdinfo/"
	descriptors, err := os.ReadDir(dir)
	if p.Ended() {
		return false, true
	}
	if err != nil {
		return false, false
	}
	for _, d := range descriptors {
		// The fd/ beside it must not be looked at: to stat what is open there waits
		// for us.
		info, err := os.ReadFile(dir + d.Name())
		if errors.Is(err, os.ErrPermission) {
			return false, false
		}
		if err == nil && p.names(string(info), f) {
			return !p.Ended(), true
		}
	}
	return false, true
}

// names reports whether a descriptor's fdinfo is of f and can write.
func (p *Program) names(info string, f File) bool {
	fields := make(map[string]string)
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	flags, err := strconv.ParseUint(fields["flags"], 8, 64)
	ino, err2 := strconv.ParseUint(fields["ino"], 10, 64)
	return err == nil && err2 == nil && ino == f.Ino && flags&unix.O_ACCMODE != unix.O_RDONLY &&
		(f.Device == "" || p.mounts(fields["mnt_id"], f.Device))
}

// mounts reports whether a mount that the program sees is of a device. One that
// its table does not have, because it was detached, may be.
func (p *Program) mounts(id, device string) bool {
	table, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(p.ID), 10) + "/mountinfo")
	if err != nil {
		return true
	}
	for line := range strings.Lines(string(table)) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == id {
			return fields[2] == device
		}
	}
	return true
}
