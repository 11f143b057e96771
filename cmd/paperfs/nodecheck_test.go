package main

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// check requires that a node has everything that was answered, complete and once.
func (f *traffic) check(t *testing.T, node map[string]string, g playground) {
	t.Helper()
	require.Empty(t, f.strange)
	f.checkJobs(t, node)
	_, tree := f.c.ask(node, "Paper", "GetAllPapers", "paperID", "1")
	names := regexp.MustCompile(` name="([wp]\d+-\d+)" `).FindAllStringSubmatch(tree, -1)
	seen := map[string]int{}
	for _, n := range names {
		seen[n[1]]++
		require.Equal(t, 1, seen[n[1]], n[1])
		require.True(t, f.made[n[1]] || f.maybe[n[1]], n[1])
	}
	for name := range f.made {
		require.Equal(t, 1, seen[name], "%s was answered SUCCESS", name)
	}
	for _, id := range slices.Concat(g.shared, g.own) {
		require.Len(t, regexp.MustCompile(` id="`+id+`" `).FindAllString(tree, -1), 1, "each id is in the tree once: there is no cycle")
	}
	for name, places := range f.places {
		at := regexp.MustCompile(` url="([^"]*/` + name + `/)"`).FindStringSubmatch(tree)
		require.Len(t, at, 2, name)
		require.Contains(t, places, at[1])
	}
	f.checkFiles(t, node)
	t.Logf("%d changes answered SUCCESS, %d categories and papers created, %d with unknown outcome", f.count, len(f.made), len(f.maybe))
}

// checkFiles requires that each file has the content last answered SUCCESS, or content sent later.
func (f *traffic) checkFiles(t *testing.T, node map[string]string) {
	t.Helper()
	_, media := f.c.ask(node, "Media", "GetTree")
	for name, digests := range f.files {
		there := strings.Count(media, `name="`+name+`"`)
		if !f.sure[name] && there == 0 {
			continue
		}
		require.Equal(t, 1, there, name)
		sum := sha256.Sum256([]byte(f.c.download(media, name)))
		require.True(t, slices.Contains(digests, hex.EncodeToString(sum[:])), name)
	}
}

// checkJobs requires that each job ended once, that papers have all pages or none, and that a paper
// whose only PDF was processed has all.
func (f *traffic) checkJobs(t *testing.T, node map[string]string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var pending int
		f.c.query(`SELECT count(*) FROM job_work`, &pending)
		return pending == 0
	}, testrun.Patience(), pause)
	answered, completed, unknown := 0, 0, 0
	for _, sent := range f.sent {
		_, body := f.c.ask(node, "Paper", "GetPaperStructure", "paperID", sent.paper, "includeIndexedText", "false")
		pages := strings.Count(body, "<page ")
		require.True(t, pages == 0 || pages == trafficPages, body)
		if sent.own {
			var jobs int
			f.c.query(`SELECT count(*) FROM job WHERE node = `+sent.paper, &jobs)
			require.LessOrEqual(t, jobs, 1, "the PDF was sent once")
		}
		if sent.job == "" {
			unknown++
			continue
		}
		answered++
		_, status := f.c.ask(node, "Ripper", "GetProcessingStatus", "jobGuid", sent.job)
		require.True(t, isOver(status), status)
		if strings.Contains(status, "Completed") {
			completed++
			require.Equal(t, trafficPages, pages)
			continue
		}
		require.Contains(t, status, "started several times", "only owners that process a PDF are killed")
		require.True(t, !sent.own || pages == 0, body)
	}
	t.Logf("%d PDFs answered SUCCESS, %d processed, %d refused or with unknown outcome", answered, completed, unknown)
}
