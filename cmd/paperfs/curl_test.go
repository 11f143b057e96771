package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"paperfs/fs/programtest"
	"paperfs/remote"

	"github.com/stretchr/testify/require"
)

// TestCurlUploadsPhotographs checks that a plain HTTP client can do what the mount does.
func TestCurlUploadsPhotographs(t *testing.T) {
	pictures, err := filepath.Glob("/usr/share/backgrounds/gnome/*")
	require.NoError(t, err)
	curl, missing := exec.LookPath("curl")
	if len(pictures) == 0 || missing != nil {
		if os.Getenv("PAPERFS_TEST_STRICT") == "1" {
			t.Fatal("gnome-backgrounds or curl is missing")
		}
		t.Skip("gnome-backgrounds or curl is missing")
	}
	_, env := newEnvironment(t).serving()
	want := map[string]string{}
	for _, picture := range pictures {
		data, err := os.ReadFile(picture)
		require.NoError(t, err)
		sum := sha256.Sum256(data)
		want[filepath.Base(picture)] = hex.EncodeToString(sum[:])
		upload := programtest.Command(t, patience, "bash", "-c", `base64 -w0 "$1" | "$2" -sSf --data-urlencode "username=$PAPERFS_USERNAME" `+
			`--data-urlencode "password=$PAPERFS_PASSWORD" --data-urlencode parentID=0 --data-urlencode "name=$(basename "$1")" `+
			`--data-urlencode base64File@- "$PAPERFS_URL/V2/Media.asmx/UploadFile"`, "bash", picture, curl)
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
