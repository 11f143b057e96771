package media

import (
	"fmt"
	rand "math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScratchByManyAtOnce runs several programs that link, rename, remove and publish the same
// names at the same time. In any order, each file at the service is complete, and a restart
// changes nothing locally.
func TestScratchByManyAtOnce(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"at once": nil, "queued": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "nothing")
			dirs := []Ino{Root, f.mkdir(Root, ".s")}
			var work sync.WaitGroup
			for worker := range 4 {
				work.Go(func() {
					for step := range 100 {
						f.disturb(dirs, fmt.Sprintf("visible-%d-%d", worker, step))
					}
				})
			}
			work.Wait()
			f.drain()
			require.NoError(t, f.store.Refresh(ctx)) // a directory whose rename then failed is at the service
			for path, content := range f.service.all() {
				if content != "" { // the copy for another name of a file that was still empty
					require.Len(t, content, wholeSize, path)
				}
			}
			before, bytes := f.everything(), f.store.Status().SpoolBytes
			f.reopen()
			f.drain()
			require.Equal(t, before, f.everything())
			require.Equal(t, bytes, f.store.Status().SpoolBytes)
			require.Empty(t, f.store.Failed())
		})
	}
}

const wholeSize = 20

// disturb performs one random operation on one of a few scratch names; visible is a name to
// publish it under.
func (f *fixture) disturb(dirs []Ino, visible string) {
	dir, to := dirs[rand.IntN(2)], dirs[rand.IntN(2)]
	name, other := fmt.Sprintf(".%d", rand.IntN(4)), fmt.Sprintf(".%d", rand.IntN(4))
	switch rand.IntN(8) {
	case 0, 1:
		if _, h, err := f.store.Create(dir, name, New{Mode: 0o644}); err == nil {
			_, err := h.WriteAt([]byte(fmt.Sprintf("%-*s", wholeSize, visible)), 0)
			require.NoError(f.t, err)
			require.NoError(f.t, h.Flush(ctx))
			h.Release()
		}
	case 2, 3:
		if a, err := f.store.Lookup(ctx, dir, name); err == nil {
			_, _ = f.store.Link(a.Ino, to, other, "") // the name is taken, or the file was removed
		}
	case 4:
		_ = f.rename(dir, name, to, other)
	case 5:
		_ = f.store.Unlink(ctx, dir, name)
	case 6:
		_ = f.rename(dir, name, Root, visible)
	case 7:
		d := visible + "-d"
		if made, err := f.store.Mkdir(ctx, dirs[1], "."+d, New{Mode: 0o755}); err == nil && f.rename(dir, name, made.Ino, "in") == nil {
			_ = f.rename(dirs[1], "."+d, Root, d) // refused where the file has other names
		}
	}
}

// everything returns each path with its inode, kind and number of names.
func (f *fixture) everything() map[string]string {
	all := map[string]string{}
	var walk func(dir Ino, path string)
	walk = func(dir Ino, path string) {
		list, err := f.store.List(ctx, dir)
		require.NoError(f.t, err)
		for _, e := range list.Entries {
			a, err := f.store.Stat(e.Ino)
			require.NoError(f.t, err)
			all[path+e.Name] = fmt.Sprint(e.Ino, a.Where, a.Links, a.Size)
			if e.Kind == Directory {
				walk(e.Ino, path+e.Name+"/")
			}
		}
	}
	walk(Root, "")
	return all
}
