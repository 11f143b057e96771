package sqlitestore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"paperfs/remote"
	"paperfs/remote/service/store"
)

// BenchmarkPagesContaining searches 500 papers of 40 pages of 2 kB each, in
// the whole tree and in one of fifty categories.
func BenchmarkPagesContaining(b *testing.B) {
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "test.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	words := strings.Fields("Garten Blume Rechen Über Wolken Himmel Pumpe Schlauch Regen Tonne Erde Samen")
	text := func() string {
		var t strings.Builder
		for t.Len() < 2000 {
			t.WriteString(words[rand.IntN(len(words))] + " ")
		}
		return t.String()
	}
	var root, category int64
	err = s.Write(ctx, func(tx store.Writer) error {
		tenant, err := tx.AddTenant(store.Tenant{Name: "default", RootURL: "/"})
		if err != nil {
			return err
		}
		t, err := tx.TenantByName("default")
		if err != nil {
			return err
		}
		root = t.Root
		for c := range 50 {
			if category, err = tx.AddNode(store.Node{Tenant: tenant, Parent: root, Kind: remote.CategoryNode, Name: "c", URLName: fmt.Sprint(c)}); err != nil {
				return err
			}
			for p := range 10 {
				paper, err := tx.AddNode(store.Node{Tenant: tenant, Parent: category, Kind: remote.PaperNode, Name: "p", URLName: fmt.Sprint(p)})
				if err != nil {
					return err
				}
				var pages []store.Page
				for n := range 40 {
					pages = append(pages, store.Page{Number: n + 1, Text: text()})
				}
				pages[7].Text += "Einzelstück"
				if err := tx.ReplacePages(paper, pages); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for name, node := range map[string]int64{"tree": root, "category": category} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				err := s.Read(ctx, func(tx store.Reader) error {
					hits, err := tx.PagesContaining(node, store.Phrase("EINZELSTÜCK"))
					if err == nil && len(hits) == 0 {
						b.Fatal("nothing found")
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
