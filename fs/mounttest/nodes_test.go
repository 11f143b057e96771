package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestTwoMountsOnTwoNodes checks that one mount's changes appear in the other after a refresh, with
// as many requests as if both used one node.
func TestTwoMountsOnTwoNodes(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "starts two nodes with a database and an object store")
	alone := servicetest.Start(t)
	inOne := alone.Nodes
	if inOne == nil {
		inOne = []string{alone.URL, alone.URL}
	}
	nodes := servicetest.StartNodes(t)
	require.Equal(t, twoMounts(t, alone, inOne), twoMounts(t, nodes, nodes.Nodes))
}

// twoMounts checks that two mounts see each other's changes, and returns the requests of the
// watching mount for each step.
func twoMounts(t *testing.T, fixture *servicetest.Fixture, urls []string) (requests []int) {
	mountOf := func(url string) *mounted {
		at := *fixture
		at.URL = url
		return newMountOf(t, &at, "--allow-delete")
	}
	writer, reader := mountOf(urls[0]), mountOf(urls[1])
	reader.sh(`ls -R papers media > /dev/null`)
	for _, step := range [][2]string{
		{`mkdir -p papers/Garden; mkdir papers/Garden/Spring.paper`, `test -d papers/Garden/Spring.paper`},
		{`echo hello > media/note.txt; "$PAPERFS" wait .`, `test "$(cat media/note.txt)" = hello`},
		{`echo again > media/note.txt; "$PAPERFS" wait .`, `test "$(cat media/note.txt)" = again`},
		{`head -c 300000 /dev/zero > media/large.bin; "$PAPERFS" wait .`, `test "$(stat -c %s media/large.bin)" = 300000; head -c 300000 /dev/zero | cmp - media/large.bin`},
		{`mv papers/Garden/Spring.paper papers/`, `test -d papers/Spring.paper; test ! -e papers/Garden/Spring.paper`},
		{`mv media/note.txt media/letter.txt; "$PAPERFS" wait .`, `test -e media/letter.txt; test ! -e media/note.txt`},
	} {
		writer.sh(step[0])
		reader.proxy.Reset()
		reader.sh(`"$PAPERFS" refresh .; ` + step[1])
		requests = append(requests, reader.proxy.Count(nil))
		writer, reader = reader, writer
		reader.sh(`"$PAPERFS" refresh .`)
	}
	return requests
}
