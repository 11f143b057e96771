package answer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/store"
)

// elementsOf returns what a function writes, without line breaks.
func elementsOf(t *testing.T, write func(w *Writer) error) string {
	t.Helper()
	var b strings.Builder
	x := NewWriter(&b, None)
	require.NoError(t, write(x))
	require.NoError(t, x.Flush())
	x.Release()
	return strings.ReplaceAll(b.String(), "\n", "")
}

// records are read in the order in which they are listed.
type records struct {
	store.Reader
	dirs   []store.Dir
	files  []store.File
	orders []store.Order
	nodes  []visited
}

func (r records) Dirs(int64) ([]store.Dir, error) { return r.dirs, nil }

func (r records) Files(_ int64, dirs []int64, visit func(store.File) error) error {
	for _, dir := range dirs {
		for _, f := range r.files {
			if f.Dir != dir {
				continue
			}
			if err := visit(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r records) Orders(_ []int64, _ string, _ time.Time, visit func(store.Order) error) error {
	for _, o := range r.orders {
		if err := visit(o); err != nil {
			return err
		}
	}
	return nil
}

func (r records) Walk(_ int64, visit func(store.Node, int) error) error {
	for _, n := range r.nodes {
		if err := visit(n.node, n.depth); err != nil {
			return err
		}
	}
	return nil
}
