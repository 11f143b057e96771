package servicetest

import (
	"bytes"
	"io"
	"net/http"
	"sync"

	"paperfs/remote"
)

// FreezeAnswer forwards the calls of an operation but holds the complete answers until release is
// called or the client disconnects. held is closed once an answer is held.
func (p *Proxy) FreezeAnswer(op *remote.Operation) (held <-chan struct{}, release func()) {
	answered, released := make(chan struct{}), make(chan struct{})
	tell := sync.OnceFunc(func() { close(answered) })
	f := &fault{op: op, left: -1, release: sync.OnceFunc(func() { close(released) })}
	f.reply = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		tell()
		select {
		case <-released:
		case <-r.Request.Context().Done():
		}
		return nil
	}
	p.add(f)
	return answered, f.release
}
