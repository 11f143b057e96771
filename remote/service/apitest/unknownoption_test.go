package apitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/kit/pdftest"
)

// TestUnknownOptionsOfAPDFAreIgnored checks that the service takes elements that it does not know, as the real
// service does, and the known ones beside them. Only a mount of the embedded service refuses them, at its start.
func TestUnknownOptionsOfAPDFAreIgnored(t *testing.T) {
	t.Parallel()
	s := start(t)
	paper := s.paper("1", "book")
	s.process(paper, pdftest.Text("first", "second"), pdfOptions(`<other><import-links>maybe</import-links></other><all-pages>false</all-pages><pages-from>2</pages-from><pages-to>2</pages-to>`+
		`<preprocessors><stamp/><preprocessor name="stamp"><ink>red</ink></preprocessor></preprocessors>`))
	page := s.visit("/book/").body
	require.Contains(t, page, ">second</p>")
	require.NotContains(t, page, ">first</p>")
}
