package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"paperfs/fs/programtest"
	"paperfs/remote"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestCurlUploadsPhotographs checks, with files of some sizes, that a plain HTTP client can do what the mount does.
func TestCurlUploadsPhotographs(t *testing.T) {
	t.Parallel()
	curl := testrun.Program(t, "curl")
	e := newEnvironment(t)
	_, env := e.serving()
	want := map[string]string{}
	for i, size := range []int{1, 100_000, 3_000_000} {
		picture := e.path(fmt.Sprintf("a b %d.jpg", i))
		data := make([]byte, size)
		_, _ = rand.NewChaCha8([32]byte{byte(i)}).Read(data) // never fails
		require.NoError(t, os.WriteFile(picture, data, 0o600))
		sum := sha256.Sum256(data)
		want[filepath.Base(picture)] = hex.EncodeToString(sum[:])
		upload := programtest.Command(t, testrun.Patience(), "sh", "-c", `base64 -w0 "$1" | "$2" -sSf --data-urlencode "username=$PAPERFS_USERNAME" `+
			`--data-urlencode "password=$PAPERFS_PASSWORD" --data-urlencode parentID=0 --data-urlencode "name=$(basename "$1")" `+
			`--data-urlencode base64File@- "$PAPERFS_URL/V2/Media.asmx/UploadFile"`, "sh", picture, curl)
		upload.Env = programtest.Bare()
		for name, value := range env {
			upload.Env = append(upload.Env, name+"="+value)
		}
		out, err := upload.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), string(remote.Success))
	}
	client, err := remote.New(remote.Options{BaseURL: env["PAPERFS_URL"], Username: env["PAPERFS_USERNAME"], Password: env["PAPERFS_PASSWORD"]})
	require.NoError(t, err)
	defer client.Close()
	tree, err := client.GetTree(t.Context())
	require.NoError(t, err)
	got := map[string]string{}
	for _, f := range tree.Files {
		got[f.Name] = f.SHA256
	}
	require.Equal(t, want, got)
}
