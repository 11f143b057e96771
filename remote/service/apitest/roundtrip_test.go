package apitest

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/kit/enginetest"
	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
)

// askedStore counts the queries within the service's Reads.
type askedStore struct {
	store.Store
	asked int
}

func (a *askedStore) Read(ctx context.Context, f func(store.Reader) error) error {
	return a.Store.Read(ctx, func(tx store.Reader) error { return f(askedReader{tx, a}) })
}

// askedReader counts the handlers' queries, for one record or for many.
type askedReader struct {
	store.Reader
	of *askedStore
}

func (r askedReader) Node(tenant, id int64) (store.Node, error) {
	r.of.asked++
	return r.Reader.Node(tenant, id)
}

func (r askedReader) Child(parent int64, name string) (store.Node, error) {
	r.of.asked++
	return r.Reader.Child(parent, name)
}

func (r askedReader) Lineage(tenant int64, ids []int64, visit func(store.Node) error) error {
	r.of.asked++
	return r.Reader.Lineage(tenant, ids, visit)
}

func (r askedReader) FieldValue(paper, field int64) (string, bool, error) {
	r.of.asked++
	return r.Reader.FieldValue(paper, field)
}

func (r askedReader) FieldValuesOf(papers, fields []int64, visit func(store.FieldValue) error) error {
	r.of.asked++
	return r.Reader.FieldValuesOf(papers, fields, visit)
}

func (r askedReader) Processings(papers []int64, visit func(int64, store.Processing) error) error {
	r.of.asked++
	return r.Reader.Processings(papers, visit)
}

func (r askedReader) Processing(paper int64) (store.Processing, error) {
	r.of.asked++
	return r.Reader.Processing(paper)
}

func (r askedReader) Files(tenant int64, dirs []int64, visit func(store.File) error) error {
	r.of.asked++
	return r.Reader.Files(tenant, dirs, visit)
}

func (r askedReader) InheritedSetting(node int64, name string) (string, bool, error) {
	r.of.asked++
	return r.Reader.InheritedSetting(node, name)
}

// growing is a service whose answers grow, and the calls that return them.
type growing struct {
	*server
	last  string // address of the newest paper's category
	calls map[string]func() reply
}

func newGrowing(s *server) *growing {
	g := &growing{server: s}
	g.calls = map[string]func() reply{
		"pages": func() reply {
			return s.must(remote.SearchPapersByContent, "categoryOrPaperID", s.root(), "query", "hedgehogs", "xmlOptions", "")
		},
		"hierarchy": func() reply {
			return s.must(remote.SearchPapersWithHiearchyByContent, "categoryID", s.root(), "query", "hedgehogs", "xmlOptions", "")
		},
		"fields":  func() reply { return s.searchFields(`<field name="Season" value="spring"/>`, "") },
		"media":   func() reply { return s.must(remote.GetTree) },
		"address": func() reply { return s.must(remote.GetPaperIDFromUrl, "url", g.last+"/p/") },
		"a page":  func() reply { return s.visit(g.last + "/p/") },
	}
	return g
}

func (g *growing) grow(from, to int) {
	var text strings.Builder
	text.WriteString(`<import><fields><field name="Season" datatype="string"/></fields>`)
	for n := from; n < to; n++ {
		g.last += fmt.Sprintf("/c%d", n)
		fmt.Fprintf(&text, `<paper url="%s/p/"><customfields><field name="Season">spring</field></customfields><pages><page number="1"><text>hedgehogs</text></page></pages></paper>`, g.last)
		g.upload(g.must(remote.CreateDirectory, "parentID", "0", "name", fmt.Sprint("d", n)).element(g.t, "directoryid"), "f", "content")
	}
	text.WriteString(`</import>`)
	testrun.Must(g.importText(text.String()))(g.t)
}

// doesNotGrow requires that answers with many hits cost as much as those with one; count returns
// the cost so far.
func (g *growing) doesNotGrow(count func() int) {
	const looks = 10 // the lowest counts: background work of the service may add to the others
	measure := func() (spent map[string]int, bytes map[string]int) {
		spent, bytes = map[string]int{}, map[string]int{}
		for name, call := range g.calls {
			call() // prepares statements and caches the caller
			for look := range looks {
				before := count()
				bytes[name] = len(call().data)
				if now := count() - before; look == 0 || now < spent[name] {
					spent[name] = now
				}
			}
		}
		return spent, bytes
	}
	g.grow(0, 1)
	few, little := measure()
	g.grow(1, 12)
	many, much := measure()
	for name := range g.calls {
		require.LessOrEqual(g.t, many[name], few[name], name)
	}
	for _, name := range []string{"pages", "hierarchy", "fields", "media"} {
		require.Greater(g.t, much[name], 5*little[name], name)
	}
}

// TestManyHitsTakeNoMoreQueriesThanOne checks that an answer with many hits takes no more queries than one
// with a single hit: over a network, each is a round trip.
func TestManyHitsTakeNoMoreQueriesThanOne(t *testing.T) {
	t.Parallel()
	s := start(t)
	a := &askedStore{}
	s.wrapStore(func(real store.Store) store.Store { a.Store = real; return a })
	newGrowing(s).doesNotGrow(func() int { return a.asked })
}

// TestASearchByFieldAsksOnce checks that a search with 3,000 hits makes as many queries as one with
// a single hit.
func TestASearchByFieldAsksOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	a := &askedStore{}
	s.wrapStore(func(real store.Store) store.Store { a.Store = real; return a })
	asked := func(papers int) int {
		var text strings.Builder
		text.WriteString(`<import><fields><field name="Season" datatype="string"/></fields>`)
		for n := range papers {
			fmt.Fprintf(&text, `<paper url="/p%d/"><customfields><field name="Season">spring</field></customfields></paper>`, n)
		}
		testrun.Must(s.importText(text.String() + `</import>`))(t)
		before := a.asked
		got := s.searchFields(`<field name="Season" value="spring"/>`, "")
		require.Equal(t, papers, strings.Count(got.body, `<field name="Season"`))
		return a.asked - before
	}
	require.Equal(t, asked(1), asked(3_000))
}

// TestRoundTripsToPostgreSQLDoNotGrow counts round trips on the wire.
func TestRoundTripsToPostgreSQLDoNotGrow(t *testing.T) {
	t.Parallel()
	var counter *enginetest.Counter
	s := start(t, func(o *service.Options) { counter = servicetest.In(t, o.Data).Counted(t) })
	g := newGrowing(s)
	g.calls["tree"] = func() reply { return s.must(remote.GetAllPapers, "paperID", s.root()) }
	g.doesNotGrow(func() int { trips, _ := counter.Count(); return int(trips) })
	_, rows := counter.Count()
	require.Positive(t, rows)
}

// notJSON are values of Accept whose answer is XML.
var notJSON = []string{"", "*/*", "application/json;q=0.4, text/plain, */*;q=0.5", "text/xml", "text/html,application/xml;q=0.9,*/*;q=0.8", "application/json;q=0"}

// TestAnswersInXMLStay checks that the answers to a client of the documented service are the bytes that they have
// always been, whatever else it accepts. Tokens, GUIDs and versions are new each time.
func TestAnswersInXMLStay(t *testing.T) {
	t.Parallel()
	const golden = "testdata/answers.xml"
	want := testrun.Must(os.ReadFile(golden))(t)
	s := imported(t).at("papers.example")
	var all strings.Builder
	for i, c := range successes {
		if c.op.Group == "Ripper" {
			continue
		}
		r := s.accepting(notJSON[i%len(notJSON)], c.op, c.pairs...)
		require.Equal(t, remote.Success, r.code, "%s: %s", c.op.Name, r.body)
		require.Equal(t, "text/xml; charset=utf-8", r.header.Get("Content-Type"))
		if c.op != remote.CreatePreviewToken && c.op.Offer == "" {
			all.WriteString("== " + c.op.Name + "\n" + r.body)
		}
	}
	if os.Getenv("PAPERFS_TEST_UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, []byte(all.String()), 0o600))
	}
	require.Equal(t, string(want), all.String())
}

// accepting posts a form with the header Accept; "" for none.
func (s *server) accepting(accept string, op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(credentialsFirst(form))))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	return s.do(req)
}
