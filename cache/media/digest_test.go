package media

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

// In these tests the service has other content of the same length, which only its digest
// reveals.

// TestALateUploadOfTheSameLength checks that the upload after one with an unknown outcome is
// verified, and repeated if the earlier upload took effect after it.
func TestALateUploadOfTheSameLength(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Broken, Ambiguous: true})
	_, err := f.create(Root, "a", "one")
	require.Error(t, err)
	f.service.tell(func(s *fakeService) { s.after = []string{"one"} })
	_, err = f.create(Root, "a", "two")
	require.NoError(t, err)
	f.published("a", "two")
	require.Equal(t, 3, f.service.count("UploadFile"))

	f.service.fail("UploadFile", &remote.Error{Op: "UploadFile", Kind: remote.Broken, Ambiguous: true})
	require.Error(t, f.overwrite(f.lookup(Root, "a").Ino, "six"))
	f.service.tell(func(s *fakeService) { s.after = []string{"six", "six", "six"} })
	require.True(t, Is(f.overwrite(f.lookup(Root, "a").Ino, "ten"), Damaged), "a close reports no unverified success")
}

func TestADownloadOfTheSameLength(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.service.set(0, "a", "content")
	a := f.lookup(Root, "a")
	f.service.mu.Lock()
	f.service.files[id].data = []byte("CONTENT")
	f.service.mu.Unlock()
	content, err := f.read(a.Ino)
	require.True(t, Is(err, Superseded), "%q, %v", content, err)
	content, err = f.read(f.lookup(Root, "a").Ino)
	require.NoError(t, err, "the store has read the tree again")
	require.Equal(t, "CONTENT", content)
}
