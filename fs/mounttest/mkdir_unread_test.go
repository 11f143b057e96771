package mounttest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// TestMkdirMakesNoSecondCategory checks that mkdir fails, and makes nothing, if the name is taken and
// the service's tree cannot be read at that moment: the category there may be the user's own.
func TestMkdirMakesNoSecondCategory(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`mkdir papers/C`)
	client, c := m.client(), remote.Node{ID: m.idOf("papers/C"), URL: "/c/"}
	testrun.Must(client.CreateCategory(t.Context(), c, "X", "x"))(t)
	m.refuse(remote.GetAllPapers, `<result><code>ERROR</code><message>The tree is locked.</message></result>`)
	m.fails(`mkdir papers/C/X`)
	assert.Contains(t, m.sh(`"$PAPERFS" why papers/C/X`), "The tree is locked")
	assert.Equal(t, 1, m.proxy.Count(remote.CreateCategory)-1, "one for C and one for X")
	m.proxy.Heal()
	var made []string
	require.NoError(t, client.GetAllPapers(t.Context(), c.ID, func(n remote.Node) error {
		made = append(made, n.URL)
		return nil
	}))
	assert.Equal(t, "/c/ /c/x/", strings.Join(made, " "))
	m.sh(`"$PAPERFS" refresh .; test -d papers/C/X`)
}
