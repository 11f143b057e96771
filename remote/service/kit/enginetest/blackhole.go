package enginetest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"
)

// BlackHole is a proxy in front of PostgreSQL that can swallow traffic. While it is open, it
// accepts data in both directions without passing it on: no connection ends, and new ones are
// accepted.
type BlackHole struct {
	server string // path of PostgreSQL's socket

	mu     sync.Mutex // guards all fields below
	passes *sync.Cond
	open   bool
	before []byte // the black hole opens before passing on these words of a client; nil = none
	after  []byte // the black hole opens after passing on these words
	ended  bool
	begun  int // number of connections
	conns  []net.Conn
}

// NewBlackHole returns a closed black hole and the database's address through it.
func NewBlackHole(t testing.TB, database string) (h *BlackHole, through string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	h = &BlackHole{server: u.Query().Get("host") + "/.s.PGSQL.5432"}
	h.passes = sync.NewCond(&h.mu)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go h.accept(l)
	t.Cleanup(func() {
		l.Close()
		h.end()
	})
	return h, "postgres://" + u.User.Username() + "@" + l.Addr().String() + u.Path + "?sslmode=disable"
}

// Open stops all traffic.
func (h *BlackHole) Open() {
	h.set(func() { h.open = true })
}

// OpenBefore opens the black hole when a client next sends these words, before passing them
// on.
func (h *BlackHole) OpenBefore(words string) {
	h.set(func() { h.before = []byte(words) })
}

// OpenAfter opens the black hole when a client next sends these words, after passing them on,
// so that their answer is swallowed.
func (h *BlackHole) OpenAfter(words string) {
	h.set(func() { h.after = []byte(words) })
}

// IsOpen reports whether traffic is stopped.
func (h *BlackHole) IsOpen() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Begun returns how many connections were made.
func (h *BlackHole) Begun() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun
}

// Close lets all traffic pass again, beginning with the held data.
func (h *BlackHole) Close() {
	h.set(func() { h.open, h.before, h.after = false, nil, nil })
}

func (h *BlackHole) set(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	h.passes.Broadcast()
}

func (h *BlackHole) end() {
	h.set(func() {
		h.open, h.ended = false, true
		for _, c := range h.conns {
			c.Close()
		}
	})
}

func (h *BlackHole) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		h.set(func() { h.begun++ })
		go h.carry(client)
	}
}

func (h *BlackHole) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", h.server)
	if err != nil {
		return
	}
	h.mu.Lock()
	if h.ended {
		h.mu.Unlock()
		server.Close()
		return
	}
	h.conns = append(h.conns, client, server)
	h.mu.Unlock()
	go h.pass(client, server, func([]byte) {}, func([]byte) {})
	h.pass(server, client, func(b []byte) { h.meets(&h.before, b) }, func(b []byte) { h.meets(&h.after, b) })
}

// meets opens the black hole if sent contains the awaited words.
func (h *BlackHole) meets(words *[]byte, sent []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if *words != nil && bytes.Contains(sent, *words) {
		h.open, *words = true, nil
	}
}

// pass copies bytes. It calls before when they arrive, so that before can hold them up, and
// after just before it writes them, so that after can hold up their answer.
func (h *BlackHole) pass(to, from net.Conn, before, after func([]byte)) {
	defer to.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		before(b[:n])
		h.mu.Lock()
		for h.open {
			h.passes.Wait()
		}
		h.mu.Unlock()
		after(b[:n])
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}
