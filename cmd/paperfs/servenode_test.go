package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/testrun"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// TestTwoNodesAreOneService checks that everything that one node answers with SUCCESS is on the
// other too, with small and large content.
func TestTwoNodesAreOneService(t *testing.T) {
	c := engines(t)
	c.init()
	p, one := c.node("one")
	_, two := c.node("two", "--jobs", "0")
	large := strings.Repeat("AAAA", 100_000)
	for _, file := range [][2]string{{"small", "aGk="}, {"large", large}} {
		_, body := c.ask(one, "Media", "UploadFile", "parentID", "0", "name", file[0], "base64File", file[1])
		require.Contains(t, body, "SUCCESS")
	}
	_, tree := c.ask(two, "Media", "GetTree")
	require.Contains(t, tree, two["PAPERFS_URL"]+"/media/")
	for name, size := range map[string]int{"small": 2, "large": 300_000} {
		require.Len(t, c.download(tree, name), size)
	}
	require.Contains(t, c.admin("check", "--deep"), "checked contents: 1, fixed: 0, faults of records: 0, missing: 0, wrong: 0")

	reply := testrun.Must(http.Get(one["PAPERFS_URL"] + "/"))(t)
	reply.Body.Close()
	require.Regexp(t, `^one-\d+$`, reply.Header.Get("Request-Id"))
	p.says("request=one-1 ")

	found := testrun.Must(os.ReadDir(c.path("scratch-one")))(t)
	for _, entry := range found {
		require.Contains(t, []string{"lock", "pdf-code"}, entry.Name(), "the scratch directory has nothing that must be kept")
	}
	p.ends(syscall.SIGTERM)
	_, body := c.ask(two, "Media", "GetTree")
	require.Contains(t, body, "SUCCESS")
}

// TestAdminOverADatabase checks that a change takes effect on every node at once.
func TestAdminOverADatabase(t *testing.T) {
	c := newCluster(t)
	_, one := c.node("one")
	_, two := c.node("two")
	readOnly := func(env map[string]string) string {
		_, body := c.ask(env, "Media", "CreateDirectory", "parentID", "0", "name", "logos")
		return body
	}
	c.admin("readonly", "on")
	for _, env := range []map[string]string{one, two} {
		require.Contains(t, readOnly(env), "READONLY")
	}
	c.admin("readonly", "off")
	require.Contains(t, readOnly(one), "SUCCESS")

	key := strings.TrimSpace(c.admin("account", "rotate", "APIKey"))
	for _, env := range []map[string]string{one, two} {
		require.Contains(t, root(t, env, "APIKey", c.key), "LOGIN_SECURITY_VIOLATION")
		require.Contains(t, root(t, env, "APIKey", key), "SUCCESS")
	}
	c.admin("tenant", "add", "acme", "--host", "acme.example")
	require.Contains(t, c.admin("tenant", "list"), "acme.example")
	require.Contains(t, c.admin("tenant", "remove", "acme", "--yes"), "removed tenant acme")
	file := testrun.Must(filepath.Abs("../../remote/service/testdata/import.xml"))(t)
	require.Contains(t, c.admin("import", file), "imported")
	require.Contains(t, c.admin("check"), "missing: 0")
}

// TestFirstStartsThatRace checks that one of several concurrent inits creates the tenant and prints
// its key, and that nodes that start at once share one key for image addresses.
func TestFirstStartsThatRace(t *testing.T) {
	c := withoutRecords(t)
	var all []*process
	for range 5 {
		all = append(all, c.start("admin", "--database", c.database, "init"))
	}
	for _, p := range all {
		require.Equal(t, cli.ExitOK, p.wait(), p.stderr)
		c.key += strings.TrimSpace(p.stdout.String())
	}
	require.Len(t, c.key, 64, "exactly one init prints a key")
	for range 2 {
		require.Contains(t, c.admin("account", "list"), "APIKey")
		require.Empty(t, c.admin("init"), "a later init creates nothing")
	}
	c.do(`DELETE FROM secret`)
	one, two, three := c.start(c.arguments("one")...), c.start(c.arguments("two")...), c.start(c.arguments("three")...)
	one.says("paperfs: serving ")
	two.says("paperfs: serving ")
	three.says("paperfs: serving ")
	var keys int
	c.query(`SELECT count(*) FROM secret`, &keys)
	require.Equal(t, 1, keys)
}

// TestANodeAndTheSchema checks that a node refuses an older schema and says what to do, and serves
// a newer one, which only adds.
func TestANodeAndTheSchema(t *testing.T) {
	c := withoutRecords(t)
	c.fail(cli.ExitFailure, "init", c.arguments("one")...)
	c.admin("migrate")
	c.fail(cli.ExitFailure, "Run: paperfs admin --database '"+c.database+"' init", c.arguments("one")...)
	c.key = strings.TrimSpace(c.admin("init"))
	c.do(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (4711, true)`)
	c.do(`ALTER TABLE media_dir ADD COLUMN colour text NOT NULL DEFAULT 'red'`)
	c.admin("migrate")
	_, one := c.node("one")
	_, body := c.ask(one, "Media", "CreateDirectory", "parentID", "0", "name", "logos")
	require.Contains(t, body, "SUCCESS")
}

// TestANodeServesWhileItsSchemaIsAddedTo adds a column to every table after the node has prepared
// its statements, as migrate of a newer paperfs does before the nodes are replaced.
func TestANodeServesWhileItsSchemaIsAddedTo(t *testing.T) {
	c := newCluster(t)
	c.withoutRaceDetector()
	_, one := c.node("one")
	f := newTraffic(c)
	f.nodes = []string{one["PAPERFS_URL"]}
	work := func(round int) {
		category := f.create("CreateCategory", fmt.Sprint("w0-", round))
		paper := f.create("CreatePaper", fmt.Sprint("p0-", round))
		require.Equal(t, "SUCCESS", f.move(paper, category))
		f.upload("small", 0)
		f.upload("large", 1)
		require.NotEmpty(t, f.process(paper, true).job)
		for _, call := range [][]string{
			{"Paper", "SetSetting", "paperID", paper, "setting", "maxZoom", "value", "200"},
			{"Paper", "GetPaperStructure", "paperID", paper, "includeIndexedText", "true"},
			{"Paper", "GetAllPapers", "paperID", "1"},
			{"Media", "GetTree"},
		} {
			_, body := c.ask(one, call[0], call[1], call[2:]...)
			require.Contains(t, body, "SUCCESS", call)
		}
		require.Empty(t, f.strange)
		f.checkJobs(t, one)
	}
	for round := range 3 { // repeat, so that statements are prepared
		work(round)
	}
	c.do(`DO $$ DECLARE name text; BEGIN
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version' LOOP
			EXECUTE format('ALTER TABLE %I ADD COLUMN newer text NOT NULL DEFAULT ''x''', name);
		END LOOP; END $$`)
	c.do(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (4711, true)`)
	for round := range 3 {
		work(10 + round)
	}
	_, two := c.node("two")
	f.check(t, two, playground{})
}

// TestANodeIsReadyWhilePostgreSQLIsThere checks the readiness page.
func TestANodeIsReadyWhilePostgreSQLIsThere(t *testing.T) {
	c := newCluster(t)
	_, one := c.node("one")
	ready := func() int {
		status, _ := c.get("one", "/readyz")
		return status
	}
	require.Equal(t, http.StatusOK, ready())
	_, metrics := c.get("one", "/metrics")
	require.Contains(t, metrics, "\npaperfs_service_ready 1\n")
	require.NotContains(t, metrics, "paperfs_service_database_bytes", "PostgreSQL reports its own size")
	back := enginetest.CloseDatabase(t, c.database)
	require.Equal(t, http.StatusServiceUnavailable, ready())
	status, _ := c.ask(one, "Media", "CreateDirectory", "parentID", "0", "name", "logos")
	require.Equal(t, http.StatusServiceUnavailable, status)
	status, _ = c.get("one", "/healthz")
	require.Equal(t, http.StatusOK, status, "a restart of the node would not help, so it is healthy")
	back()
	require.Eventually(t, func() bool { return ready() == http.StatusOK }, testrun.Patience(), 10*time.Millisecond)
	_, body := c.ask(one, "Media", "CreateDirectory", "parentID", "0", "name", "logos")
	require.Contains(t, body, "SUCCESS")
}

// TestTheTreeWorksWhileTheObjectStoreIsAway checks that requests for the tree work, and that
// requests that need the object store get 503.
func TestTheTreeWorksWhileTheObjectStoreIsAway(t *testing.T) {
	c := withoutRecords(t)
	store := enginetest.StartObjectStore(t)
	c.objects = store.AddressBeside(t)
	c.key = strings.TrimSpace(c.admin("init"))
	_, one := c.node("one")
	upload := func(name string, bytes int) (int, string) {
		return c.ask(one, "Media", "UploadFile", "parentID", "0", "name", name, "base64File", strings.Repeat("AAAA", bytes/3))
	}
	store.Stop()
	status, _ := upload("large", 300_000)
	require.Equal(t, http.StatusServiceUnavailable, status)
	_, body := upload("small", 3000)
	require.Contains(t, body, "SUCCESS", "small content is stored in its record")
	_, body = c.ask(one, "Paper", "CreateCategory", "parentID", "1", "name", "a", "urlName", "a")
	require.Contains(t, body, "SUCCESS")
	status, _ = c.get("one", "/readyz")
	require.Equal(t, http.StatusOK, status)
	c.fail(cli.ExitFailure, "the object store cannot be reached now", c.arguments("two")...)
	store.Restart(t)
	_, body = upload("large", 300_000)
	require.Contains(t, body, "SUCCESS")
}

// download reads a media file from its address in the tree.
func (c *cluster) download(tree, name string) string {
	c.t.Helper()
	address := regexp.MustCompile(`name="` + name + `"[^>]* url="([^"]*)"`).FindStringSubmatch(tree)
	require.Len(c.t, address, 2, tree)
	reply := testrun.Must(http.Get(address[1]))(c.t)
	defer reply.Body.Close()
	return string(testrun.Must(io.ReadAll(reply.Body))(c.t))
}

// do changes the database directly.
func (c *cluster) do(statement string) {
	c.t.Helper()
	db := testrun.Must(pgx.Connect(c.t.Context(), c.database))(c.t)
	defer db.Close(c.t.Context())
	testrun.Must(db.Exec(c.t.Context(), statement))(c.t)
}

func (c *cluster) query(question string, into any) {
	c.t.Helper()
	db := testrun.Must(pgx.Connect(c.t.Context(), c.database))(c.t)
	defer db.Close(c.t.Context())
	require.NoError(c.t, db.QueryRow(c.t.Context(), question).Scan(into))
}
