package virtual

import (
	"context"
	"testing"
)

// BenchmarkRead reads what is there at once, in a goroutine and in place.
func BenchmarkRead(b *testing.B) {
	for name, read := range map[string]func(context.Context, func(context.Context) (int, error)) (int, error){
		"goroutine": Read[int], "in place": ReadInPlace[int],
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, _ = read(b.Context(), func(context.Context) (int, error) { return 1, nil })
			}
		})
	}
}
