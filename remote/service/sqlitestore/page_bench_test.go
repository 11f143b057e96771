package sqlitestore

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

var benchPapers = flag.Int("papers", 1000, "papers of 50 pages in the library that is searched")

// library creates papers of 50 pages of 2 kB, with twenty papers per category. Word frequencies
// are as in natural language: the nth word has a share of 1/n.
func library(b *testing.B, s *Store) (root, category int64) {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 20_000)
	for i := range words {
		w := make([]byte, 2+r.IntN(9))
		for j := range w {
			w[j] = "eeeeaaiioouunnrrsstthhddllccmmffggbpwvkzjxqy"[r.IntN(44)]
		}
		words[i] = string(w)
	}
	often := rand.NewZipf(r, 1.05, 2, uint64(len(words)-1))
	text := func() string {
		var t strings.Builder
		for t.Len() < 2000 {
			t.WriteString(words[often.Uint64()] + " ")
		}
		return t.String()
	}
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	ctx := context.Background()
	var tenant store.Tenant
	must(s.Write(ctx, store.AllTenants, func(tx store.Writer) error {
		if _, err := tx.AddTenant(store.Tenant{Name: "default", RootURL: "/"}); err != nil {
			return err
		}
		var err error
		tenant, err = tx.TenantByName("default")
		return err
	}))
	for p := range *benchPapers {
		must(s.Write(ctx, store.AllTenants, func(tx store.Writer) (err error) {
			if p%20 == 0 {
				category, err = tx.AddNode(store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.CategoryNode, Name: "c", URLName: fmt.Sprint("c", p)})
				if err != nil {
					return err
				}
			}
			paper, err := tx.AddNode(store.Node{Tenant: tenant.ID, Parent: category, Kind: remote.PaperNode, Name: "p", URLName: fmt.Sprint("p", p)})
			if err != nil {
				return err
			}
			pages := make([]store.Page, 50)
			for n := range pages {
				pages[n] = store.Page{Number: n + 1, Text: text()}
			}
			if p%10 == 0 {
				pages[7].Text += "Einzelstück vom Kirschbaum"
			}
			return tx.ReplacePages(paper, pages)
		}))
	}
	return tenant.Root, category
}

// BenchmarkPagesContaining searches a whole library and one of its categories. It reports how
// long the library took to create, and the size of the index.
func BenchmarkPagesContaining(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "test.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	began := time.Now()
	root, category := library(b, s)
	made := time.Since(began)
	var index, texts int64
	if err := s.reader.QueryRow(`SELECT (SELECT sum(length(block)) FROM page_index_data), (SELECT sum(length(phrase)) FROM page_phrase)`).Scan(&index, &texts); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name, query string
		node        int64
	}{
		{"rare/tree", "EINZELSTÜCK", root},
		{"rare/category", "EINZELSTÜCK", category},
		{"phrase/tree", "einzelstück vom kirschbaum", root},
		{"absent/tree", "einzelstück von", root},
		{"common/tree", "eat", root},
		{"common/category", "eat", category},
		{"two/tree", "qx", root},
		{"two/category", "qx", category},
	} {
		b.Run(c.name, func(b *testing.B) {
			hits := 0
			for b.Loop() {
				err := s.Read(ctx, func(tx store.Reader) error {
					found, err := tx.PagesContaining(c.node, store.Phrase(c.query))
					hits = 0
					for _, pages := range found {
						hits += len(pages)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(hits), "hits")
			b.ReportMetric(float64(index)/(1<<20), "index-MB")
			b.ReportMetric(float64(texts)/(1<<20), "text-MB")
			b.ReportMetric(made.Seconds(), "made-s")
		})
	}
}
