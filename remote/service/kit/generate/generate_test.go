package generate_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/kit/generate"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
	"paperfs/remote/testrun"
	"paperfs/remote/xmlscan"
)

// place is a store with one tenant.
type place struct {
	t      *testing.T
	store  store.Store
	tenant store.Tenant
}

func newPlace(t *testing.T) *place {
	dir := t.TempDir()
	p := &place{t: t}
	var err error
	p.store, err = sqlitestore.Open(context.Background(), filepath.Join(dir, "service.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.store.Close()) })
	require.NoError(t, p.store.Write(context.Background(), store.AllTenants, func(tx store.Writer) error {
		if _, err := tx.AddTenant(store.Tenant{Name: "acme", RootURL: "/"}); err != nil {
			return err
		}
		p.tenant, err = tx.TenantByName("acme")
		return err
	}))
	return p
}

func (p *place) make(s generate.Spec) (generate.Report, error) {
	return generate.Fill(p.store, s, p.tenant.Name)
}

func (p *place) read(f func(tx store.Reader) error) {
	require.NoError(p.t, p.store.Read(context.Background(), f))
}

// walk visits everything below the root.
func (p *place) walk(visit func(n store.Node, depth int)) {
	p.read(func(tx store.Reader) error {
		return tx.Walk(p.tenant.Root, func(n store.Node, depth int) error {
			if depth > 0 {
				visit(n, depth)
			}
			return nil
		})
	})
}

// lines describes the tree without ids.
func (p *place) lines() (all []string) {
	p.walk(func(n store.Node, depth int) {
		all = append(all, fmt.Sprintf("%d %d %q %s %v", depth, n.Kind, n.Name, n.URLName, n.Period))
		p.read(func(tx store.Reader) error {
			return tx.Pages(n.ID, true, func(page store.Page) error {
				all = append(all, fmt.Sprintf("%d %s", page.Number, page.Text))
				return nil
			})
		})
	})
	return all
}

func TestSizes(t *testing.T) {
	p := newPlace(t)
	r := testrun.Must(p.make(generate.Spec{Papers: 300, Categories: 40, Depth: 5, Seed: 7, Pages: 2, Media: 250}))(t)
	require.Equal(t, generate.Report{Categories: 40, Papers: 300, Pages: 600, Directories: 4, Files: 250}, r)
	categories, papers, deepest, periods := 0, 0, 0, 0
	p.walk(func(n store.Node, depth int) {
		if n.Kind == remote.CategoryNode {
			categories++
			deepest = max(deepest, depth)
			return
		}
		papers++
		require.Greater(t, depth, 1, "papers are in categories")
		if !n.Period.IsZero() {
			periods++
			require.True(t, n.Period.From.Before(n.Period.To))
		}
	})
	require.Equal(t, []int{40, 300, 5}, []int{categories, papers, deepest})
	require.InDelta(t, 60, periods, 30)
}

func TestTheSameSeedGivesTheSameTree(t *testing.T) {
	spec := generate.Spec{Papers: 200, Categories: 20, Depth: 3, Seed: 5, Pages: 1}
	a, b := newPlace(t), newPlace(t)
	testrun.Must(b.make(generate.Spec{Media: 1, Depth: 1, Seed: 9}))(t)
	for _, p := range []*place{a, b} {
		testrun.Must(p.make(spec))(t)
	}
	require.Equal(t, a.lines(), b.lines())

	spec.Seed = 6
	_, err := a.make(spec)
	require.NoError(t, err, "another seed must work in the same tenant")
	require.Len(t, a.lines(), 2*len(b.lines()))
	require.NotSubset(t, a.lines()[:1], b.lines()[:1])
}

func TestAwkwardNames(t *testing.T) {
	p := newPlace(t)
	testrun.Must(p.make(generate.Spec{Papers: 3000, Categories: 60, Depth: 3, Seed: 11, Awkward: true}))(t)
	seen := map[string]int{}
	siblings := map[string]bool{}
	found := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	p.walk(func(n store.Node, _ int) {
		require.Equal(t, strings.TrimSpace(n.Name), n.Name)
		length := utf8.RuneCountInString(n.Name)
		require.True(t, length >= 1 && length <= 255, "%q", n.Name)
		require.True(t, xmlscan.Carries(n.Name) && !strings.ContainsFunc(n.Name, unicode.IsControl), "%q", n.Name)

		key := fmt.Sprint(n.Parent, n.Kind)
		found("duplicate", siblings[key+n.Name])
		found("case pair", !siblings[key+n.Name] && siblings[key+rules.Fold(n.Name)])
		siblings[key+n.Name], siblings[key+rules.Fold(n.Name)] = true, true
		found("255 bytes", len(n.Name) == 255)
		found("249 bytes", len(n.Name) == 249)
		found("longer than a file name", len(n.Name) > 255)
		found("emoji", strings.ContainsRune(n.Name, '👩'))
		found("combining mark", strings.ContainsRune(n.Name, '\u0301'))
		found("~digits", strings.HasSuffix(n.Name, "~12"))
		found(".paper", strings.HasSuffix(n.Name, ".paper"))
		for _, special := range []string{"／", "．", "‛", "/"} {
			found(special, strings.Contains(n.Name, special))
		}
		for _, name := range []string{"url", "id", ".search"} {
			found(name, n.Name == name)
		}
	})
	require.Len(t, seen, 16, "%v", seen)
}
