package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestACopyIsOneRequest checks that a copy costs the upload, and nothing that checks whether a colleague has created
// or changed the file: the service compares versions.
func TestACopyIsOneRequest(t *testing.T) {
	t.Parallel()
	m, many := newMount(t), times(40, 200)
	m.sh(`ls media; mkdir "$HOME/src"; for i in $(seq ` + fmt.Sprint(many) + `); do echo $i > "$HOME/src/$i"; done`)
	assert.Equal(t, []string{"UploadFile"}, m.cost(`cp "$HOME/src/1" media/copy`))
	assert.Equal(t, []string{"UploadFile"}, m.cost(`cp "$HOME/src/2" media/copy`))
	m.cost(`cp "$HOME"/src/* media/`)
	assert.Equal(t, many, m.proxy.Count(remote.UploadFile))
	assert.Equal(t, many, m.proxy.Total())
}
