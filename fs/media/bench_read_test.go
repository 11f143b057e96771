package media_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/hanwen/go-fuse/v2/fuse"
	"github.com/stretchr/testify/require"

	"paperfs/cache/media"
	"paperfs/cache/state"
	"paperfs/remote"
)

// oneFile is a service with one file of zeros.
type oneFile struct {
	media.Service
	size int64
}

func (s oneFile) GetTreeIfChanged(context.Context, remote.Validator) (remote.MediaTree, remote.Validator, error) {
	return remote.MediaTree{Files: []remote.MediaFile{{ID: 1, Name: "f", SizeKB: s.size >> 10, Bytes: s.size, URL: "http://127.0.0.1/f"}}}, "", nil
}

func (s oneFile) Offers() (remote.Offers, bool) { return remote.Offers{}, true }

func (s oneFile) Download(_ context.Context, _ string, part remote.Part) (*remote.Received, error) {
	to := s.size
	if part.To > 0 {
		to = min(to, part.To)
	}
	return &remote.Received{ReadCloser: io.NopCloser(bytes.NewReader(make([]byte, to-part.From))), Size: s.size, Tag: `"t"`, Ranges: true}, nil
}

// BenchmarkRead reads pieces of content that is here, without a kernel: the whole file, or what came
// of it.
func BenchmarkRead(b *testing.B) {
	const size = 64 << 20
	for name, whole := range map[string]bool{"whole": true, "part": false} {
		for unit, length := range map[string]int{"4K": 4 << 10, "128K": 128 << 10} {
			b.Run(name+"/"+unit, func(b *testing.B) {
				home := b.TempDir()
				st, err := state.Open(state.Dirs{State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache")}, home)
				require.NoError(b, err)
				defer st.Close()
				store, err := media.Open(media.Options{Service: oneFile{size: size}, State: st, Reserve: -1})
				require.NoError(b, err)
				defer store.Close()
				raw := nodes(store)
				head := fuse.InHeader{NodeId: 1, Caller: fuse.Caller{Pid: uint32(os.Getpid())}}
				var entry fuse.EntryOut
				require.Equal(b, fuse.OK, raw.Lookup(nil, &head, "f", &entry))
				head.NodeId = entry.NodeId
				var open fuse.OpenOut
				require.Equal(b, fuse.OK, raw.Open(nil, &fuse.OpenIn{InHeader: head}, &open))
				buffer := make([]byte, length)
				read := func(at int64) {
					got, status := raw.Read(nil, &fuse.ReadIn{InHeader: head, Fh: open.Fh, Offset: uint64(at), Size: uint32(length)}, buffer)
					require.Equal(b, fuse.OK, status)
					require.Equal(b, length, got.Size())
				}
				end := int64(size)
				if !whole {
					end -= 1 << 20
				}
				for at := int64(0); at < end; at += int64(length) {
					read(at)
				}
				at := int64(0)
				for b.Loop() {
					read(at)
					if at += int64(length); at >= end {
						at = 0
					}
				}
			})
		}
	}
}
