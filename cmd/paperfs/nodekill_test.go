package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/engine"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// pause is the interval between checks of a condition.
const pause = 20 * time.Millisecond

// phase is the longest time between the start of a PDF and a kill.
const phase = 300 * time.Millisecond

// TestAnsweredChangesSurviveKillsOfNodes kills nodes, PostgreSQL and the object store under traffic.
// Nothing that was answered SUCCESS may be lost, nothing may be incomplete or duplicated, and
// nothing may be left over after the janitor has run. Each kill comes while a PDF is under way.
// PAPERFS_TEST_KILLS is the number of kills.
func TestAnsweredChangesSurviveKillsOfNodes(t *testing.T) {
	for _, nodes := range []int{2, 3} {
		t.Run(fmt.Sprint(nodes, " nodes"), func(t *testing.T) { killedNodes(t, nodes) })
	}
}

func killedNodes(t *testing.T, nodes int) {
	c := withoutRecords(t)
	c.withoutRaceDetector()
	objects := enginetest.StartObjectStore(t)
	c.objects = objects.AddressBeside(t)
	c.key = strings.TrimSpace(c.admin("init"))
	f := newTraffic(c)
	processes, first := make([]*process, nodes), map[string]string(nil)
	for i := range processes {
		p, env := c.node(fmt.Sprint("n", i))
		processes[i], first = p, env
		f.nodes = append(f.nodes, env["PAPERFS_URL"])
	}
	g := f.playground(first)
	f.start(g)
	after := func(changes int) {
		at := f.answered() + changes
		require.Eventually(t, func() bool { return f.answered() >= at }, testrun.Patience(), pause)
	}
	kills, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_KILLS"))
	if err != nil {
		kills = 4
	}
	killed, broken := []string{""}, 0
	for kill := range kills {
		after(5 + rand.IntN(10))
		owner := c.working(killed)
		time.Sleep(rand.N(phase))
		switch kill % 4 {
		case 0, 2:
			killed = append(killed, owner)
			name, _, _ := strings.Cut(owner, " ")
			i := testrun.Must(strconv.Atoi(strings.TrimPrefix(name, "n")))(t)
			require.NoError(t, processes[i].cmd.Process.Kill())
			<-processes[i].ended
			after(3) // the others continue
			if c.works(owner) {
				broken++
			}
			p, env := c.node(name)
			processes[i] = p
			f.keep(func() { f.nodes[i] = env["PAPERFS_URL"] })
		case 1:
			enginetest.KillPostgres(t)
		case 3:
			objects.Stop()
			after(3) // requests that need no object store continue
			objects.Restart(t)
		}
	}
	after(10)
	f.end()
	_, env := c.node("last")
	f.check(t, env, g)
	t.Logf("%d kills; kills of nodes that interrupted a PDF: %d", kills, broken)
	for _, p := range processes {
		p.signal(syscall.SIGTERM)
		require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
	}
	c.nothingIsLeft(t, objects)
}

// working waits until a node is processing a PDF, and returns the owner. It skips killed owners,
// whose leases have not ended.
func (c *cluster) working(killed []string) (owner string) {
	require.Eventually(c.t, func() bool {
		owner = c.worker(`owner <> ALL ($1)`, killed)
		return owner != ""
	}, testrun.Patience(), pause)
	return owner
}

// works reports whether an owner is processing a PDF.
func (c *cluster) works(owner string) bool { return c.worker(`owner = $1`, owner) == owner }

// worker returns an owner that is processing a PDF, or "" if there is none or PostgreSQL is
// restarting.
func (c *cluster) worker(which string, args ...any) (owner string) {
	db, err := pgx.Connect(c.t.Context(), c.database)
	if err != nil {
		return ""
	}
	defer db.Close(c.t.Context())
	_ = db.QueryRow(c.t.Context(), `SELECT owner FROM job_work WHERE lease > clock_timestamp() AND `+which+` ORDER BY random() LIMIT 1`, args...).Scan(&owner)
	return owner
}

// withoutRaceDetector runs the nodes without the race detector, with which PDFs take minutes.
func (c *cluster) withoutRaceDetector() {
	c.program = plain(c.t)
}

// nothingIsLeft requires that the object store has what records name, and nothing else after the
// janitor has run on candidates made old.
func (c *cluster) nothingIsLeft(t *testing.T, objects *enginetest.ObjectStore) {
	t.Helper()
	require.Contains(t, c.admin("check", "--deep"), "missing: 0, wrong: 0")
	records, contents := testrun.Must2(engine.Open(t.Context(), c.database, c.objects))(t)
	defer records.Close()
	removed := 0
	for range 2 { // intended objects are given up first
		c.do(`UPDATE content SET since = since - interval '3 days' WHERE state <> 'kept'`)
		n := testrun.Must(contents.Clean(t.Context()))(t)
		removed += n
	}
	require.NoError(t, contents.Close())
	var kept []string
	c.query(`SELECT coalesce(array_agg(left(key, 2) || '/' || key ORDER BY key), '{}') FROM content`, &kept)
	names, uploads := objects.Objects(t, c.objects)
	slices.Sort(names)
	slices.Sort(kept)
	require.Equal(t, kept, names)
	require.Zero(t, uploads)
	var unnamed int
	c.query(`SELECT count(*) FROM content WHERE state <> 'kept' OR NOT EXISTS (SELECT 1 FROM media_file WHERE content = key)
		AND NOT EXISTS (SELECT 1 FROM kept WHERE content = key) AND NOT EXISTS (SELECT 1 FROM rendition WHERE pdf = key OR images = key) AND NOT EXISTS (SELECT 1 FROM job_work WHERE pdf = key)`, &unnamed)
	require.Zero(t, unnamed, "a record names each kept content")
	t.Logf("the janitor removed %d contents and kept %d", removed, len(names))
}
