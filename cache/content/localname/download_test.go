package localname

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPartsOfADownload(t *testing.T) {
	for _, c := range []struct {
		part, name string
		is         bool
	}{
		{"Spring.pdf.part", "Spring.pdf", true},
		{"Spring.Xa81Bc_d.pdf.part", "Spring.pdf", true},
		{"Spring(1).Xa81Bc_d.pdf.part", "Spring(1).pdf", true},
		{"photos.Xa81Bc0d.tar.gz.part", "photos.tar.gz", true},
		{"photos.tar.Xa81Bc0d.gz.part", "photos.tar.gz", true},
		{"README.Xa81Bc0d.part", "README", true},
		{"Spring(1).Xa81Bc0d.pdf.part", "Spring.pdf", false},
		{"Spring.Xa81Bc0.pdf.part", "Spring.pdf", false},
		{"Xa81Bc0d.pdf.part", "Spring.pdf", false},
		{"Spring.Xa81Bc0d.pdf", "Spring.pdf", false},
		{".part", "Spring.pdf", false},
	} {
		require.Equal(t, c.is, IsPart(c.part, c.name), c.part)
	}
}
