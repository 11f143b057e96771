package s3store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/minio/minio-go/v7"
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

func TestPlaces(t *testing.T) {
	t.Setenv("AWS_REGION", "")
	t.Setenv("AWS_DEFAULT_REGION", "eu-north-1")
	for address, want := range map[string]Place{
		"s3://s3.example.com/papers":                                         {Host: "s3.example.com", Bucket: "papers", Region: "eu-north-1"},
		"s3://s3.example.com:9000/papers/a/b/":                               {Host: "s3.example.com:9000", Bucket: "papers", Prefix: "a/b/", Region: "eu-north-1"},
		"s3+http://rgw:7480/papers/a":                                        {Host: "rgw:7480", Plain: true, Bucket: "papers", Prefix: "a/", Region: "eu-north-1"},
		"s3://127.0.0.1:7070/papers":                                         {Host: "127.0.0.1:7070", Plain: true, Bucket: "papers", Region: "eu-north-1"},
		"s3://[::1]:7070/papers":                                             {Host: "[::1]:7070", Plain: true, Bucket: "papers", Region: "eu-north-1"},
		"s3://localhost/papers":                                              {Host: "localhost", Plain: true, Bucket: "papers", Region: "eu-north-1"},
		"s3://s3.eu-west-1.amazonaws.com/papers?region=eu-west-1&style=path": {Host: "s3.eu-west-1.amazonaws.com", Bucket: "papers", Region: "eu-west-1", Lookup: minio.BucketLookupPath},
		"s3://s3.example.com/papers?style=host":                              {Host: "s3.example.com", Bucket: "papers", Region: "eu-north-1", Lookup: minio.BucketLookupDNS},
	} {
		got, err := ParsePlace(address)
		require.NoError(t, err, address)
		require.Equal(t, want, got, address)
		again, err := ParsePlace(got.String())
		require.NoError(t, err, address)
		require.Equal(t, [4]any{got.Host, got.Plain, got.Bucket, got.Prefix}, [4]any{again.Host, again.Plain, again.Bucket, again.Prefix}, address)
	}
	for _, address := range []string{"", "/srv/content", "https://s3.example.com/papers", "s3:///papers", "s3://s3.example.com", "s3://s3.example.com/",
		"s3://s3.example.com/papers/../x", "s3://s3.example.com/papers/a//b", "s3://s3.example.com/papers?style=odd", "s3://s3.example.com/papers?insecure=1", "s3://s3.example.com/papers#a"} {
		_, err := ParsePlace(address)
		require.Error(t, err, address)
	}
	for _, address := range []string{"s3://key:hidden@s3.example.com/papers", "s3://key:hid%zzden@s3.example.com/papers", "s3://hidden@s3.example.com/papers",
		"s3:key:hidden@s3.example.com/papers", "s3://s3.example.com/papers?secret_access_key=hidden", "s3://s3.example.com/papers?secret=hid;den"} {
		_, err := ParsePlace(address)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hid")
	}
}

func TestCredentialsAreNeeded(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
	_, err := New(Place{Host: "localhost", Plain: true, Bucket: "papers"}, nil)
	require.ErrorContains(t, err, "AWS_SHARED_CREDENTIALS_FILE")
}
