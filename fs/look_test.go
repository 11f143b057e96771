package fs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestACopyCostsAtMostTwo checks that a copy costs the upload, and a GetTree that checks whether a
// colleague has created the name. Copies within ten seconds share the GetTree.
func TestACopyCostsAtMostTwo(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`ls media; mkdir "$HOME/src"; for i in $(seq 200); do echo $i > "$HOME/src/$i"; done`)
	assert.Equal(t, []string{"UploadFile"}, withoutGetTree(m.cost(`cp "$HOME/src/1" media/copy`)))
	assert.LessOrEqual(t, m.proxy.Count(remote.GetTree), 1)

	begin := time.Now()
	m.cost(`cp "$HOME"/src/* media/`)
	assert.Equal(t, 200, m.proxy.Count(remote.UploadFile))
	assert.LessOrEqual(t, m.proxy.Count(remote.GetTree), 1+int(time.Since(begin)/(10*time.Second)))
	assert.Equal(t, 200, m.proxy.Total()-m.proxy.Count(remote.GetTree))
}

// withoutGetTree removes GetTree from the requests: whether one is needed depends on the time since the
// last one.
func withoutGetTree(asked []string) []string {
	return slices.DeleteFunc(asked, func(op string) bool { return op == "GetTree" })
}
