package mounttest

import (
	"fmt"
	"testing"
)

// BenchmarkWrite writes 64 MiB with dd to a file in media/ that stays local, so that no upload is
// part of it.
func BenchmarkWrite(b *testing.B) {
	m := newMount(b)
	for _, kib := range []int{128, 4} {
		b.Run(fmt.Sprintf("%d KiB", kib), func(b *testing.B) {
			b.SetBytes(64 << 20)
			for b.Loop() {
				m.sh(fmt.Sprintf("dd if=/dev/zero of=media/.bench bs=%dk count=%d status=none", kib, 64<<10/kib))
			}
		})
	}
}
