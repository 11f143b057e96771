package mounttest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestRetryOverReplacesWhatAColleagueUploaded checks what a program meets whose file a colleague
// uploads while it has it open, and that retry --over publishes its content.
func TestRetryOverReplacesWhatAColleagueUploaded(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.sh(`echo one > media/f; cat media/f
		perl -e 'open F, ">>", "media/f" or die; syswrite F, "mine\n"; open O, ">", "$ENV{HOME}/open"; until (-e "$ENV{HOME}/theirs") { select undef, undef, undef, 0.02 }
			close F and die; print "$!\n"' > "$HOME/said" 2>&1 &`)
	m.eventually(`test -e "$HOME/open"`)
	testrun.Must(m.client().UploadFile(t.Context(), 0, "f", bytesOf("theirs\n")))(t)
	m.sh(`"$PAPERFS" refresh media; touch "$HOME/theirs"`)
	m.eventually(`test -s "$HOME/said" && test -e .paperfs/failed/f`)
	assert.Equal(t, "Stale file handle theirs", m.sh(`echo $(cat "$HOME/said" media/f)`))
	assert.Contains(t, m.sh(`"$PAPERFS" why media/f; cat .paperfs/errors`), "somebody else has changed it on the service")
	assert.Contains(t, m.fails(`"$PAPERFS" retry media/f`), "paperfs retry --over")
	m.sh(`"$PAPERFS" retry --over media/f`)
	assert.Equal(t, map[string]string{"f": sum("one\nmine\n")}, m.atService())
	assert.Empty(t, m.sh(`ls .paperfs/failed`))
}

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
