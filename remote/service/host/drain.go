package host

import (
	"context"
	"net"
	"net/http"
	"paperfs/remote/clock"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// handshakeTime is how long TCP handshakes that have begun may take to end.
	handshakeTime = 100 * time.Millisecond
	// quietTime is for how long a connection is idle before it is closed: if it were closed while a
	// request is on the way, the client would not know whether that was carried out.
	quietTime = time.Second
)

// Listen listens on a TCP address without Multipath TCP, which Go would use: its sockets take no filter, so that a stop could not
// refuse connections (see refuse).
func Listen(address string) (net.Listener, error) {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	return c.Listen(context.Background(), "tcp", address)
}

// draining makes a server end without losing requests on connections that clients take for open.
type draining struct {
	begun atomic.Bool
	open  atomic.Int64 // connections
	busy  atomic.Int64 // requests
	last  atomic.Int64 // when the last request was answered, in Unix nanoseconds; its connection becomes idle later
}

// handler makes answers say, once the drain has begun, that the connection ends with them.
func (d *draining) handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.begun.Load() {
			w.Header().Set("Connection", "close")
		}
		d.busy.Add(1)
		defer func() {
			d.last.Store(time.Now().UnixNano())
			d.busy.Add(-1)
		}()
		h.ServeHTTP(w, r)
	})
}

// note notes the new state of a connection.
func (d *draining) note(state http.ConnState) {
	switch state {
	case http.StateNew:
		d.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		d.open.Add(-1)
	}
}

// drain closes the listener, after all connections that the kernel has completed were accepted, and
// returns when no request was answered lately, or hurry ends.
func (d *draining) drain(hurry context.Context, l net.Listener) {
	d.begun.Store(true)
	if queue := refuse(l); queue != nil {
		_ = clock.Sleep(hurry, handshakeTime)
		for queue() > 0 && hurry.Err() == nil {
			_ = clock.Sleep(hurry, time.Millisecond)
		}
	}
	l.Close()
	for d.open.Load() > 0 && (d.busy.Load() > 0 || time.Since(time.Unix(0, d.last.Load())) < quietTime) && hurry.Err() == nil {
		_ = clock.Sleep(hurry, 10*time.Millisecond)
	}
}

// synDropped is a socket filter that drops TCP segments with the flag SYN.
var synDropped = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13},              // the flags
	{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: 1 << 1, Jf: 1}, // SYN
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},                             // none of the segment
	{Code: unix.BPF_RET | unix.BPF_K, K: 1<<31 - 1},                     // all of it
}

// refuse makes the kernel drop what would begin a connection: the client sends it again after a
// second, and is refused then. A listener that is closed resets the connections that were not
// accepted yet, though their clients may have sent requests. refuse returns how many there are; nil
// for a listener without such connections.
func refuse(l net.Listener) (queue func() int) {
	if b, ok := l.(*bounded); ok {
		l = b.Listener
	}
	socket, ok := l.(*net.TCPListener)
	if !ok {
		return nil
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil
	}
	// Where the filter is not allowed, only the connections that begin while l is closed are reset.
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(synDropped)), Filter: &synDropped[0]})
	})
	return func() (waiting int) {
		_ = raw.Control(func(fd uintptr) {
			if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
				waiting = int(info.Unacked) // of a listener: the connections to accept
			}
		})
		return waiting
	}
}
