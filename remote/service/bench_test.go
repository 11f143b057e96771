package service_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/sqlitestore"
	"paperfs/remote/service/store"
)

// grow fills the default tenant with 1,000 categories of 99 papers each.
func grow(b *testing.B, s *server) {
	s.close()
	db, err := sqlitestore.OpenExisting(context.Background(), filepath.Join(s.data, "service.db"))
	require.NoError(b, err)
	require.NoError(b, db.Write(context.Background(), func(tx store.Writer) error {
		tenant, err := tx.TenantByName("default")
		if err != nil {
			return err
		}
		for i := range 1000 {
			name := fmt.Sprintf("Category number %d", i)
			category, err := tx.AddNode(store.Node{Tenant: tenant.ID, Parent: tenant.Root, Kind: remote.CategoryNode, Name: name, URLName: fmt.Sprintf("category-number-%d", i)})
			if err != nil {
				return err
			}
			for j := range 99 {
				_, err := tx.AddNode(store.Node{Tenant: tenant.ID, Parent: category, Kind: remote.PaperNode, Name: fmt.Sprintf("Paper number %d", j), URLName: fmt.Sprintf("paper-number-%d", j)})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}))
	require.NoError(b, db.Close())
	s.open()
}

func BenchmarkGetAllPapers100000(b *testing.B) {
	s := start(b)
	grow(b, s)
	form := s.credentials(remote.GetAllPapers)
	form.Set("paperID", s.root())
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
		resp, err := client.PostForm(s.http.URL+remote.GetAllPapers.Path(), form)
		require.NoError(b, err)
		n, err := io.Copy(io.Discard, resp.Body)
		require.NoError(b, err)
		require.NoError(b, resp.Body.Close())
		require.Greater(b, n, int64(9_000_000))
		b.SetBytes(n)
	}
}

func BenchmarkGetPaperIDFromURL(b *testing.B) {
	s := start(b)
	s.paper(s.category(s.root(), "garden"), "spring")
	for b.Loop() {
		s.must(remote.GetPaperIDFromUrl, "url", "/garden/spring/")
	}
}

func BenchmarkCreatePaper(b *testing.B) {
	s := start(b)
	root := s.root()
	for i := 0; b.Loop(); i++ {
		s.paper(root, fmt.Sprint(i))
	}
}

func BenchmarkUploadFile10KiB(b *testing.B) {
	s := start(b)
	content := strings.Repeat("x", 10<<10)
	b.SetBytes(int64(len(content)))
	for i := 0; b.Loop(); i++ {
		s.upload("0", fmt.Sprint(i), content)
	}
}
