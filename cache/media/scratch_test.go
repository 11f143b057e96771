package media

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// linked creates .a with content "one" and its second name .d/b.
func linked(t *testing.T, options ...func(*Options)) (f *fixture, dir Ino, a Attr) {
	f = newFixture(t, options...)
	f.absent(Root, "a")
	dir = f.mkdir(Root, ".d")
	a, err := f.create(Root, ".a", "one")
	require.NoError(t, err)
	b, err := f.store.Link(a.Ino, dir, "b", "")
	require.NoError(t, err)
	require.Equal(t, a.Ino, b.Ino)
	require.Equal(t, 2, b.Links)
	return f, dir, a
}

func TestOnlyScratchHasSeveralNames(t *testing.T) {
	t.Parallel()
	f, dir, a := linked(t)
	_, err := f.store.Link(a.Ino, Root, "visible", "")
	require.True(t, Is(err, LocalOnly), "%v", err)
	visible, err := f.create(Root, "visible", "x")
	require.NoError(t, err)
	_, err = f.store.Link(visible.Ino, dir, "c", "")
	require.True(t, Is(err, LocalOnly), "%v", err)
	_, err = f.store.Link(a.Ino, dir, "b", "")
	require.True(t, Is(err, Exists), "%v", err)
	require.NoError(t, f.store.Unlink(ctx, Root, ".a"))
	require.NoError(t, f.store.Unlink(ctx, dir, "b"))
	_, err = f.store.Link(a.Ino, dir, "c", "")
	require.True(t, Is(err, NotFound), "%v", err)
}

// TestOneOfSeveralHardLinksGetsNoRealName checks that the refusal changes nothing, and that the last
// name can be published.
func TestOneOfSeveralHardLinksGetsNoRealName(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]func(*Options){"at once": nil, "queued": {writingBack}} {
		t.Run(name, func(t *testing.T) {
			f, dir, a := linked(t, options...)
			for from, old := range map[Ino]string{Root: ".a", dir: "b"} {
				require.True(t, Is(f.rename(from, old, Root, "visible"), Unsupported))
			}
			require.Equal(t, 2, f.lookup(dir, "b").Links)
			require.NoError(t, f.store.Unlink(ctx, dir, "b"))
			require.NoError(t, f.rename(Root, ".a", Root, "visible"))
			f.drain()
			f.published("visible", "one")
			require.Equal(t, a.Ino, f.lookup(Root, "visible").Ino)
		})
	}
}

func TestNoNameIsAddedToWhatIsBeingPublished(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.absent(Root, "a")
	a, err := f.create(Root, ".a", "one")
	require.NoError(t, err)
	open := f.service.hold("UploadFile")
	renamed, linked := make(chan error), make(chan error)
	go func() { renamed <- f.rename(Root, ".a", Root, "a") }()
	<-f.service.entered
	go func() {
		_, err := f.store.Link(a.Ino, Root, ".b", "")
		linked <- err
	}()
	open()
	require.NoError(t, <-renamed)
	require.True(t, Is(<-linked, LocalOnly))
	f.absent(Root, ".b")
}

func TestSpecialFilesAreScratch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.store.Symlink(Root, "visible", "to", New{Mode: 0o777})
	require.True(t, Is(err, LocalOnly), "%v", err)
	made, err := f.store.Symlink(Root, ".special", "to", New{Mode: 0o777})
	require.NoError(t, err)
	again, err := f.store.Link(made.Ino, Root, ".again", "")
	require.NoError(t, err)
	require.Equal(t, made.Ino, again.Ino)
	f.reopen()
	require.Equal(t, Symlink, f.lookup(Root, ".special").Kind)
	require.True(t, Is(f.rename(Root, ".special", Root, "visible"), LocalOnly))
	require.NoError(t, f.store.Unlink(ctx, Root, ".special"))
	require.NoError(t, f.store.Unlink(ctx, Root, ".again"))
	require.Equal(t, f.service.count("GetTree"), f.service.total())
}
