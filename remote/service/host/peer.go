package host

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errNoPeer means that the kernel knows no open socket at the other end.
var errNoPeer = errors.New("no open socket at the other end")

// peerUID returns the user whose socket on this machine is at the other end of a connection. A
// socket that its process has already closed has no user: the kernel shows it as root's.
func peerUID(c net.Conn) (uint32, error) {
	theirs, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return 0, err
	}
	ours, err := netip.ParseAddrPort(c.LocalAddr().String())
	if err != nil {
		return 0, err
	}
	uid, err := askKernel(theirs, ours)
	if err == nil || errors.Is(err, errNoPeer) {
		return uid, err
	}
	return readTable(theirs, ours) // a sandbox may block netlink
}

const established = 1

// The request and answer of sock_diag(7) for one socket, as in linux/inet_diag.h. Ports and
// addresses are in network byte order.
type (
	socketID struct {
		sourcePort, targetPort [2]byte
		source, target         [16]byte
		device                 uint32
		cookie                 [2]uint32
	}
	diagRequest struct {
		length                               uint32
		kind, flags                          uint16
		sequence, pid                        uint32
		family, protocol, extensions, unused uint8
		states                               uint32
		id                                   socketID
	}
	diagAnswer struct {
		length                        uint32
		kind, flags                   uint16
		sequence, pid                 uint32
		family, state, timer, retrans uint8
		id                            socketID
		expires, received, waiting    uint32
		uid, inode                    uint32
	}
)

// askKernel asks for the socket at one address that is connected to another.
func askKernel(at, to netip.AddrPort) (uint32, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	q := diagRequest{kind: unix.SOCK_DIAG_BY_FAMILY, flags: unix.NLM_F_REQUEST, family: unix.AF_INET, protocol: unix.IPPROTO_TCP, states: 1 << established}
	if at.Addr().Is6() {
		q.family = unix.AF_INET6
	}
	q.length = uint32(unsafe.Sizeof(q))
	binary.BigEndian.PutUint16(q.id.sourcePort[:], at.Port())
	binary.BigEndian.PutUint16(q.id.targetPort[:], to.Port())
	copy(q.id.source[:], at.Addr().AsSlice())
	copy(q.id.target[:], to.Addr().AsSlice())
	q.id.cookie = [2]uint32{^uint32(0), ^uint32(0)} // any
	if err := unix.Sendto(fd, unsafe.Slice((*byte)(unsafe.Pointer(&q)), q.length), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return 0, err
	}
	var buffer [4096]byte
	n, _, err := unix.Recvfrom(fd, buffer[:], 0)
	if err != nil {
		return 0, err
	}
	return readAnswer(buffer[:n])
}

func readAnswer(b []byte) (uint32, error) {
	if len(b) < unix.SizeofNlMsghdr+4 {
		return 0, errors.New("sock_diag: a short answer")
	}
	if binary.NativeEndian.Uint16(b[4:]) == unix.NLMSG_ERROR {
		errno := unix.Errno(-int32(binary.NativeEndian.Uint32(b[unix.SizeofNlMsghdr:])))
		if errno == unix.ENOENT {
			return 0, errNoPeer
		}
		return 0, fmt.Errorf("sock_diag: %w", errno)
	}
	var a diagAnswer
	if len(b) < int(unsafe.Sizeof(a)) {
		return 0, errors.New("sock_diag: a short answer")
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&a)), unsafe.Sizeof(a)), b)
	if a.state != established || a.inode == 0 {
		return 0, errNoPeer
	}
	return a.uid, nil
}

// readTable finds the socket in the kernel's list of all sockets.
func readTable(at, to netip.AddrPort) (uint32, error) {
	file := "/proc/net/tcp"
	if at.Addr().Is6() {
		file = "/proc/net/tcp6"
	}
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	theirs, ours := tableForm(at), tableForm(to)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
		fields := strings.Fields(lines.Text())
		if len(fields) < 10 || fields[1] != theirs || fields[2] != ours {
			continue
		}
		uid, err := strconv.ParseUint(fields[7], 10, 32)
		if err != nil || fields[3] != "01" || fields[9] == "0" {
			return 0, errNoPeer
		}
		return uint32(uid), nil
	}
	return 0, errNoPeer
}

// tableForm returns an address as /proc/net/tcp shows it: with words in this machine's byte
// order.
func tableForm(a netip.AddrPort) string {
	b := a.Addr().AsSlice()
	for word := b; len(word) >= 4; word = word[4:] {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	return fmt.Sprintf("%s:%04X", strings.ToUpper(hex.EncodeToString(b)), a.Port())
}
