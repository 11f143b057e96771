package reading

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkRead reads a file from its beginning to its end, and then many small ones.
func BenchmarkRead(b *testing.B) {
	for name, size := range map[string]int{"large": 64 << 20, "small": 10 << 10} {
		b.Run(name, func(b *testing.B) {
			content := noise(size, 1)
			p := pooled(b, serving(content), keeping(b, 1<<40))
			v := versionOf(content)
			piece := make([]byte, blockSize)
			b.SetBytes(int64(size))
			for b.Loop() {
				s := opened(b, p, v)
				for at := int64(0); at < v.Size; at += blockSize {
					if _, ok := s.ReadHere(piece, at); !ok {
						_, err := s.ReadAt(context.Background(), piece, at)
						require.True(b, err == nil || v.Size-at < blockSize)
					}
				}
				s.Release()
				k := p.keeper.(*fakeKeeper)
				k.mu.Lock()
				clear(k.kept)
				k.mu.Unlock()
			}
		})
	}
}
