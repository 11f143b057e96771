package answer

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryItemIsWorkedOnOnceInOrder checks batches that are full, and a last one that is not.
func TestEveryItemIsWorkedOnOnceInOrder(t *testing.T) {
	t.Parallel()
	for _, items := range []int{0, 1, 3, 4, 300} {
		var all []int
		w := Worker[int]{Size: 3, Work: func(batch []int) {
			require.LessOrEqual(t, len(batch), 3)
			all = append(all, batch...)
		}}
		var want []int
		for i := range items {
			want = append(want, i)
			w.Add(i)
		}
		w.End()
		w.End() // does nothing
		require.Equal(t, want, slices.Clone(all), "of %d items", items)
	}
}

// TestAddWaitsForSlowWork checks that no more than three batches are held.
func TestAddWaitsForSlowWork(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}, 10), make(chan struct{})
	w := Worker[int]{Size: 1, Work: func(batch []int) {
		if len(batch) > 0 {
			begun <- struct{}{}
			<-goOn
		}
	}}
	w.Add(1)
	<-begun
	w.Add(2) // waits in full; the worker holds the first
	added := make(chan struct{})
	go func() { w.Add(3); close(added) }()
	select {
	case <-added:
		t.Fatal("three batches are held, and a fourth can be filled")
	case goOn <- struct{}{}: // the first is done
	}
	<-added
	close(goOn)
	w.End()
	require.Len(t, begun, 2)
}
