package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestGenerateBesideARunningService checks that a service shows at once what is made beside it, and that a seed is used once.
func TestGenerateBesideARunningService(t *testing.T) {
	t.Parallel()
	f := servicetest.Start(t)
	servicetest.In(t, f.Data).Embedded(t, "the command is for these")
	generate := func(words ...string) (string, error) {
		var out strings.Builder
		cmd := newGenerateCommand()
		cmd.SetOut(&out)
		cmd.SetErr(&out)
		cmd.SetArgs(append(words, "--data", f.Data))
		err := cmd.Execute()
		return out.String(), err
	}
	out := testrun.Must(generate("--papers", "200", "--categories", "30", "--depth", "4", "--seed", "2", "--pages", "2", "--media", "20", "--awkward-names"))(t)
	require.Equal(t, "made categories: 30, papers: 200, pages: 400, media directories: 2, media files: 20\n", out)
	client := testrun.Must(remote.New(remote.Options{BaseURL: f.URL, Username: f.Username, Password: f.Password}))(t)
	t.Cleanup(client.Close)
	root, found := testrun.Must2(client.GetPaperIDFromUrl(t.Context(), "/"))(t)
	require.True(t, found)
	kinds := map[remote.NodeKind]int{}
	require.NoError(t, client.GetAllPapers(t.Context(), root, func(n remote.Node) error { kinds[n.Kind]++; return nil }))
	require.Equal(t, map[remote.NodeKind]int{remote.PaperNode: 200, remote.CategoryNode: 31}, kinds)
	require.Len(t, testrun.Must(client.GetTree(t.Context()))(t).Files, 20)
	_, err := generate("--categories", "30", "--depth", "4", "--seed", "2")
	require.ErrorContains(t, err, "another --seed")
	_, err = generate("--depth", "0")
	require.ErrorContains(t, err, "depth")
}
