package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"paperfs/cmd/paperfs/cli"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// hooked is a receiver that counts the events of each paper and category.
type hooked struct {
	http *httptest.Server

	mu     sync.Mutex
	status int // of its answers
	got    map[int64]int
	events int
}

func newHooked(t *testing.T) *hooked {
	h := &hooked{got: map[int64]int{}, status: 204}
	h.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct{ ID int64 }
		if json.NewDecoder(r.Body).Decode(&m) != nil {
			return // the sender was killed
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		w.WriteHeader(h.status)
		if h.status == 204 {
			h.got[m.ID]++
			h.events++
		}
	}))
	t.Cleanup(h.http.Close)
	return h
}

func (h *hooked) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// has reports whether there was an event of each.
func (h *hooked) has(ids ...int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		if h.got[id] == 0 {
			return false
		}
	}
	return true
}

func (h *hooked) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.events
}

var idIn = regexp.MustCompile(`<\w+ id="(\d+)"`)

// createCategory creates a category below the root, and returns its id; 0 if the outcome is unknown.
func createCategory(t *testing.T, env map[string]string, name string) int64 {
	reply, err := http.PostForm(env["PAPERFS_URL"]+"/V2/Paper.asmx/CreateCategory", url.Values{"plUsername": {env["PAPERFS_USERNAME"]}, "plPassword": {env["PAPERFS_PASSWORD"]},
		"parentID": {"1"}, "name": {name}, "urlName": {name}})
	if err != nil {
		return 0
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || !strings.Contains(string(text), "SUCCESS") {
		return 0
	}
	return testrun.Must(strconv.ParseInt(idIn.FindStringSubmatch(string(text))[1], 10, 64))(t)
}

// TestTheOperatorAddsAWebhook does what an operator does with webhooks.
func TestTheOperatorAddsAWebhook(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	_, env := e.serving()
	h := newHooked(t)
	e.fail(cli.ExitUsage, "--events", "admin", "--data", e.path("data"), "webhook", "add", h.http.URL)
	e.fail(cli.ExitFailure, "--trust-host", "admin", "--data", e.path("data"), "webhook", "add", h.http.URL, "--events", "changed")
	e.fail(cli.ExitFailure, `no event "deleted"`, "admin", "--data", e.path("data"), "webhook", "add", h.http.URL, "--events", "deleted", "--trust-host")
	e.fail(cli.ExitUsage, "webhook list", "admin", "--data", e.path("data"), "webhook", "test", "x")
	added := e.admin("webhook", "add", h.http.URL, "--events", "changed,ordered,changed", "--trust-host")
	require.Regexp(t, `^webhook 1\nsecret whsec_[A-Za-z0-9+/]{43}=\n$`, added)
	secret := strings.Fields(added)[3]
	require.Equal(t, "accepted\n", e.admin("webhook", "test", "1"))
	require.True(t, h.has(0))
	first := createCategory(t, env, "first")
	require.Eventually(t, func() bool { return h.has(first) }, testrun.Patience(), pause)

	h.answers(503)
	e.fail(cli.ExitFailure, "it answered 503", "admin", "--data", e.path("data"), "webhook", "test", "1")
	second := createCategory(t, env, "second")
	require.Eventually(t, func() bool { return strings.Contains(e.admin("webhook", "list"), "it answered 503") }, testrun.Patience(), pause)
	require.Regexp(t, fmt.Sprintf(`(?s)ID +WAITING +ASIDE +EVENTS +URL\n1 +1 +0 +changed,ordered +%s\n\nWebhook 1:\n.*changed +%d .* waiting +it answered 503`, h.http.URL, second), e.admin("webhook", "list"))
	list := e.json("webhook", "list").([]any)[0].(map[string]any)
	require.Equal(t, []any{"default", true, nil}, []any{list["tenant"], list["trusted"], list["secret"]})
	require.Len(t, list["waiting"], 1)
	h.answers(204)
	require.Contains(t, e.admin("webhook", "retry", "1"), "events that are tried again within seconds: ")
	require.Eventually(t, func() bool { return h.has(second) }, testrun.Patience(), pause)

	require.Equal(t, "checked contents", e.admin("check")[:16])
	e.admin("backup", e.path("backup"))
	require.EqualValues(t, 0o600, testrun.Must(os.Stat(e.path("backup", "service.db")))(t).Mode().Perm())
	require.NotContains(t, e.admin("webhook", "list")+e.admin("webhook", "list", "--json"), secret)
	require.Equal(t, "", e.admin("webhook", "remove", "1"))
	require.Equal(t, []any{}, e.json("webhook", "list"))
	e.fail(cli.ExitFailure, "no webhook 1", "admin", "--data", e.path("data"), "webhook", "retry", "1")
}

// TestEventsSurviveKills kills the service in the middle of its deliveries: what was answered with SUCCESS is told.
// PAPERFS_TEST_KILLS is the number of kills.
func TestEventsSurviveKills(t *testing.T) {
	kills, err := strconv.Atoi(os.Getenv("PAPERFS_TEST_KILLS"))
	switch {
	case err == nil:
	case testrun.All():
		kills = 100
	default:
		kills = 3
	}
	t.Parallel()
	e := newEnvironment(t)
	p, env := e.serving()
	h := newHooked(t)
	e.admin("webhook", "add", h.http.URL, "--events", "changed", "--trust-host")
	var made []int64
	repeats := 0
	for kill := range kills {
		before := h.count()
		for i := range 2 + rand.IntN(6) {
			if id := createCategory(t, env, fmt.Sprintf("c%d-%d", kill, i)); id != 0 {
				made = append(made, id)
			}
		}
		until := before + rand.IntN(3)
		require.Eventually(t, func() bool { return h.count() >= until }, testrun.Patience(), time.Millisecond)
		require.NoError(t, p.cmd.Process.Kill())
		<-p.ended
		p, env = e.serving()
	}
	require.Eventually(t, func() bool { return h.has(made...) }, testrun.Patience(), pause)
	for _, id := range made {
		repeats += h.got[id] - 1
	}
	t.Logf("%d kills, %d events, %d repeats", kills, len(made), repeats)
	require.Contains(t, e.admin("check"), "faults of records: 0")
}

// TestEventsSurviveKillsOfNodes kills the node that sends: another one goes on when the lease has run out.
func TestEventsSurviveKillsOfNodes(t *testing.T) {
	c := newCluster(t)
	h := newHooked(t)
	c.admin("webhook", "add", h.http.URL, "--events", "changed", "--trust-host")
	first, one := c.node("n0")
	var made []int64
	create := func(env map[string]string, name string) {
		id := createCategory(t, env, name)
		require.NotZero(t, id)
		made = append(made, id)
	}
	create(one, "first")
	require.Eventually(t, func() bool { return h.has(made...) }, testrun.Patience(), pause)
	_, two := c.node("n1")
	for i := range 5 {
		create(two, fmt.Sprint("c", i))
	}
	require.NoError(t, first.cmd.Process.Kill())
	<-first.ended
	create(two, "last")
	require.Eventually(t, func() bool { return h.has(made...) }, testrun.Patience(), pause)
}
