package media

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// restored has the service be as it was before it gave an id: what came later is gone, and
// its ids are given again.
func (f *fixture) restored(before int64) {
	f.service.mu.Lock()
	defer f.service.mu.Unlock()
	f.service.next = before
	for id := range f.service.files {
		if id > before {
			delete(f.service.files, id)
		}
	}
	for id := range f.service.dirs {
		if id > before {
			delete(f.service.dirs, id)
		}
	}
}

// TestAnUploadToARestoredServiceGetsAnIDThatWasKnown: that is no clash of names.
func TestAnUploadToARestoredServiceGetsAnIDThatWasKnown(t *testing.T) {
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "x")
			before := f.service.next
			old, err := f.create(Root, "x", "one")
			require.NoError(t, err)
			f.drain()
			f.restored(before)
			_, err = f.create(Root, "y", "two")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"y": "two"}, f.service.all())
			f.published("y", "two")
			require.NotEqual(t, old.Ino, f.lookup(Root, "y").Ino)
			f.absent(Root, "x")
			require.Empty(t, f.store.Failed())
		})
	}
}

// TestADirectoryOfARestoredServiceGetsAnIDThatWasKnown: it is not the other.
func TestADirectoryOfARestoredServiceGetsAnIDThatWasKnown(t *testing.T) {
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "x")
			before := f.service.next
			old := f.mkdir(Root, "x")
			f.drain()
			f.restored(before)
			made := f.mkdir(Root, "y")
			require.NotEqual(t, old, made)
			_, err := f.create(made, "a", "one")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"y/a": "one"}, f.service.all())
			require.NoError(t, f.store.Refresh(ctx))
			f.absent(Root, "x")
			require.Equal(t, made, f.lookup(Root, "y").Ino)
		})
	}
}

// TestAnUploadToADirectoryThatARestoredServiceLacks makes it again.
func TestAnUploadToADirectoryThatARestoredServiceLacks(t *testing.T) {
	for name, options := range map[string][]func(*Options){"direct": nil, "write-back": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, options...)
			f.absent(Root, "d")
			before := f.service.next
			d := f.mkdir(Root, "d")
			e := f.mkdir(d, "e")
			f.drain()
			f.restored(before)
			f.pass(minCheckInterval)
			_, err := f.create(e, "a", "one")
			require.NoError(t, err)
			f.drain()
			require.Equal(t, map[string]string{"d/e/a": "one"}, f.service.all())
			require.Empty(t, f.store.Failed())
			require.Equal(t, e, f.lookup(d, "e").Ino)
		})
	}
}

// TestARefusalAsksForTheTreeNowAndThen: not each time.
func TestARefusalAsksForTheTreeNowAndThen(t *testing.T) {
	f := newFixture(t)
	f.absent(Root, "d")
	d := f.mkdir(Root, "d")
	f.pass(minCheckInterval)
	asked := f.service.count("GetTree")
	for range 3 {
		f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Refused, Code: remote.Failure})
		_, err := f.create(d, "a", "one")
		require.Error(t, err)
	}
	require.Equal(t, 1, f.service.count("GetTree")-asked)
	require.Less(t, minCheckInterval, time.Minute)
}
