package s3store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/storetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// TestCredentialsOfAFile checks that credentials from a file work like those from the environment.
func TestCredentialsOfAFile(t *testing.T) {
	address := enginetest.SharedObjectStore(t).Address(t)
	file := filepath.Join(t.TempDir(), "credentials")
	text := "[default]\naws_access_key_id = " + os.Getenv("AWS_ACCESS_KEY_ID") + "\naws_secret_access_key = " + os.Getenv("AWS_SECRET_ACCESS_KEY") + "\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	s := at(t, address, records(t))
	storetest.WriteContent(t, s, []byte("content"))
}

// TestAWrongKeyIsSaid checks that a wrong key is reported, and not mistaken for an unavailable
// object store.
func TestAWrongKeyIsSaid(t *testing.T) {
	address := enginetest.SharedObjectStore(t).Address(t)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	p := testrun.Must(ParsePlace(address))(t)
	s := testrun.Must(New(p, records(t)))(t)
	d := testrun.Must(s.Create(t.Context()))(t)
	_, err := d.Commit()
	require.Error(t, err)
	require.NotErrorIs(t, err, store.ErrAway)
	require.Error(t, s.Check(t.Context()))
}

func TestABucketThatIsMissingIsSaid(t *testing.T) {
	p := testrun.Must(ParsePlace(enginetest.SharedObjectStore(t).Address(t)))(t)
	p.Bucket = "elsewhere"
	require.ErrorContains(t, testrun.Must(New(p, records(t)))(t).Check(t.Context()), "there is no bucket named")
}
