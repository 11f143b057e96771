package snapshot

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const testMagic = "test 1\n"

func TestADamagedFileIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	read := func() error {
		return Read(path, testMagic, func(r *Reader) error {
			for range 20 {
				r.Number()
				r.Text()
			}
			return nil
		})
	}
	require.NoError(t, Write(path, testMagic, func(w *Writer) {
		for i := range int64(20) {
			w.Number(i - 10)
			w.Text("äöü"[:i%7])
		}
	}))
	require.NoError(t, read())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	damaged := map[string][]byte{"longer": append(whole[:len(whole):len(whole)], 0)}
	for i := range whole {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 0x81
		damaged[fmt.Sprint("flipped at ", i)], damaged[fmt.Sprint("cut at ", i)] = flipped, whole[:i]
	}
	for what, content := range damaged {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		require.Error(t, read(), what)
	}
}
