package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestACopyIsOneRequest checks that a copy costs the upload, and nothing that checks whether a colleague has created
// or changed the file: the service compares versions.
func TestACopyIsOneRequest(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; mkdir "$HOME/src"; for i in $(seq 200); do echo $i > "$HOME/src/$i"; done`)
	assert.Equal(t, []string{"UploadFile"}, m.cost(`cp "$HOME/src/1" media/copy`))
	assert.Equal(t, []string{"UploadFile"}, m.cost(`cp "$HOME/src/2" media/copy`))
	m.cost(`cp "$HOME"/src/* media/`)
	assert.Equal(t, 200, m.proxy.Count(remote.UploadFile))
	assert.Equal(t, 200, m.proxy.Total())
}
