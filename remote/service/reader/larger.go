package reader

import (
	"bytes"
	"io"
	"net/http"

	"paperfs/remote/service/answer"
	"paperfs/remote/service/pdf"
	"paperfs/remote/service/store"
)

// MostLarger is how many tiles are drawn at once.
const MostLarger = 2

// tile opens a tile of a page. Requests for the same one share its drawing and the cached result, which the next version of
// the page leaves unused.
func (s *Reader) tile(r *http.Request, p picture, tile pdf.Tile) (io.ReadSeekCloser, error) {
	if tag := r.Header.Get("If-None-Match"); tag == "*" || tag == p.tag() {
		return smallContent{bytes.NewReader(nil)}, nil // the answer is 304 without a look at it; ServeContent reads other forms in its own way
	}
	key := pageKey{node: p.node.ID, query: p.tag()}
	for {
		found, mine, other := s.Tiles.Claim(key, p.tag())
		switch {
		case found != nil:
			return &keptPicture{found.Content(), found, s.Tiles}, nil
		case mine != nil:
			return s.drawn(r, p, tile, key, mine)
		}
		select {
		case <-other.Done():
			if other.Alone() {
				return nil, store.ErrNotFound // as for the request that asked first
			}
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

// drawn draws a tile of a page, and caches it for those that wait for it. If the client leaves, one of
// these draws it.
func (s *Reader) drawn(r *http.Request, p picture, tile pdf.Tile, key pageKey, mine *making) (io.ReadSeekCloser, error) {
	failed := true
	defer func() { s.Tiles.Done(mine, failed && r.Context().Err() == nil) }()
	place := s.Drawing.Ticket(p.tenant.ID)
	if err := place.Enter(r.Context()); err != nil {
		return nil, err
	}
	defer place.Leave()
	jpeg, err := s.Larger(r.Context(), p.from, p.image, tile)
	if err != nil {
		return nil, err
	}
	kept, err := answer.KeepBytes(s.Data, key, p.tag(), jpeg)
	if err != nil {
		return nil, err
	}
	failed = !s.Tiles.Put(kept)
	return &keptPicture{kept.Content(), kept, s.Tiles}, nil
}

// keptPicture is a cached picture that is being sent.
type keptPicture struct {
	io.ReadSeeker
	kept *keptPage
	from *Pages
}

func (k *keptPicture) Close() error {
	k.from.Release(k.kept)
	return nil
}
