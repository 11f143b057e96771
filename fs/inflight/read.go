package inflight

import "github.com/hanwen/go-fuse/v2/fuse"

// Read answers a READ, which is in flight until its reply is written: a notification must
// not overtake the reply.
func (f *FS) Read(cancel <-chan struct{}, in *fuse.ReadIn, buf []byte) (fuse.ReadResult, fuse.Status) {
	f.table.Enter(in.NodeId)
	found, status := f.RawFileSystem.Read(cancel, in, buf)
	if found == nil || !status.Ok() {
		f.table.Leave(in.NodeId)
		return found, status
	}
	data, status := found.Bytes(buf)
	a := &answer{found, func() { f.table.Leave(in.NodeId) }, data}
	switch {
	case !status.Ok():
		a.Done()
		return nil, status
	case len(data) == 0:
		return nothing{a}, fuse.OK
	}
	return a, fuse.OK
}

// answer is a reply that ends the READ once it is written.
type answer struct {
	fuse.ReadResult
	leave func()
	data  []byte
}

func (a *answer) Done() {
	a.ReadResult.Done()
	a.leave()
}

func (a *answer) Size() int { return len(a.data) }

func (a *answer) Bytes([]byte) ([]byte, fuse.Status) { return a.data, fuse.OK }

// Slices makes go-fuse write the reply without a copy, and call Done after that.
func (a *answer) Slices() ([][]byte, fuse.Status) { return [][]byte{a.data}, fuse.OK }

// nothing is an empty answer. go-fuse does not call Done if Size is 0; it takes the true
// size from Bytes.
type nothing struct{ a *answer }

func (n nothing) Done()                                  { n.a.Done() }
func (n nothing) Size() int                              { return 1 }
func (n nothing) Bytes(buf []byte) ([]byte, fuse.Status) { return buf[:0], fuse.OK }
