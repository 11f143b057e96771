package caller

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Program is a process that a pidfd watches, so that a later process with the same number
// is not mistaken for it. Close ends the watch.
type Program struct {
	ID       uint32 // the thread group
	fd       int
	watchers int // guarded by watchedMu
}

// watched are the programs by number. All that watch a process share one pidfd: a program may have
// thousands of files open.
var (
	watchedMu sync.Mutex
	watched   = make(map[uint32]*Program) // guarded by watchedMu
)

// Watch starts watching the process of thread tid, which must be waiting for an answer
// from the mount. It returns nil if that is not possible: the process is in another PID
// namespace, or the kernel has no pidfds.
func Watch(tid uint32) *Program {
	if tid == 0 {
		return nil
	}
	id := Process(tid)
	if id == 0 {
		return nil
	}
	watchedMu.Lock()
	defer watchedMu.Unlock()
	p := watched[id]
	if p == nil || p.Ended() {
		fd, err := uninterrupted(func() (int, error) { return unix.PidfdOpen(int(id), 0) })
		if err != nil {
			return nil
		}
		p = &Program{ID: id, fd: fd}
		watched[id] = p
	}
	p.watchers++
	return p
}

// Close ends one watch.
func (p *Program) Close() {
	watchedMu.Lock()
	defer watchedMu.Unlock()
	if p.watchers--; p.watchers > 0 {
		return
	}
	if watched[p.ID] == p {
		delete(watched, p.ID)
	}
	_ = unix.Close(p.fd)
}

// Ended reports whether all threads of the process have ended; a zombie has ended.
func (p *Program) Ended() bool {
	fds := []unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}
	n, err := uninterrupted(func() (int, error) { return unix.Poll(fds, 0) })
	return err == nil && n > 0
}

// Fate says whether and how a process ended.
type Fate int

const (
	Unseen Fate = iota // it ended, and how cannot be determined
	Alive
	EndedWell // by itself, whatever its exit code
	WasKilled // by a signal
)

// Fate returns the fate of the process. A process that is ending counts as ended: it waits
// for answers from the mount until it has closed its last file.
func (p *Program) Fate() Fate {
	fate := p.look()
	if p.reaped() { // look may have read another process
		return p.record()
	}
	return fate
}

// Dies reports whether a signal has ended the process, which has not closed all its files yet, or is
// about to.
func (p *Program) Dies() bool {
	memory := hasMemory(p.ID)
	s, _ := statOf(p.ID)
	dies := memory && s.killPending() || !memory && s.killed(p.ID)
	return dies && !p.Ended()
}

// look reads the fate from /proc. A thread with memory is alive; look does not read its
// stat, which an exec may block. The first thread may end before the others.
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
	s, held := statOf(p.ID)
	switch {
	case held || s == stat{}:
		return Unseen
	case s.killed(p.ID):
		return WasKilled
	}
	return EndedWell
}

func hasMemory(tid uint32) bool {
	statm, err := read(tid, "statm", make([]byte, 128))
	return err == nil && !bytes.HasPrefix(statm, []byte("0 0 0"))
}

// reaped reports whether another process may have the number by now.
func (p *Program) reaped() bool {
	return errors.Is(unix.PidfdSendSignal(p.fd, 0, nil, 0), unix.ESRCH)
}

// record returns the fate of a reaped process, which the kernel keeps since Linux
// 6.15.
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

// File identifies an open file as descriptors do.
type File struct {
	Ino    uint64
	Device string // of the mount, "MAJOR:MINOR"; empty: any
}

// Holds reports whether the process has a descriptor that can write to f. known is false
// if paperfs may not read the descriptors, as those of another user.
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
		// Do not read fd/ beside it: a stat of what is open there would wait for the
		// mount.
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

// names reports whether a descriptor's fdinfo refers to f and allows writing.
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

// mounts reports whether a mount that the process sees is on a device. A mount that its
// table lacks, because it was detached, may be.
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
