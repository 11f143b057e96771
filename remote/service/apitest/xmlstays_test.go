package apitest

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

// notJSON are values of Accept whose answer is XML.
var notJSON = []string{"", "*/*", "application/json;q=0.4, text/plain, */*;q=0.5", "text/xml", "text/html,application/xml;q=0.9,*/*;q=0.8", "application/json;q=0"}

// TestAnswersInXMLStay checks that the answers to a client of the documented service are the bytes that they have
// always been, whatever else it accepts. Tokens, GUIDs and versions are new each time.
func TestAnswersInXMLStay(t *testing.T) {
	t.Parallel()
	const golden = "testdata/answers.xml"
	want := testrun.Must(os.ReadFile(golden))(t)
	s := imported(t).at("papers.example")
	var all strings.Builder
	for i, c := range successes {
		if c.op.Group == "Ripper" {
			continue
		}
		r := s.accepting(notJSON[i%len(notJSON)], c.op, c.pairs...)
		require.Equal(t, remote.Success, r.code, "%s: %s", c.op.Name, r.body)
		require.Equal(t, "text/xml; charset=utf-8", r.header.Get("Content-Type"))
		if c.op != remote.CreatePreviewToken && c.op.Offer == "" {
			all.WriteString("== " + c.op.Name + "\n" + r.body)
		}
	}
	if os.Getenv("PAPERFS_TEST_UPDATE") != "" {
		require.NoError(t, os.WriteFile(golden, []byte(all.String()), 0o600))
	}
	require.Equal(t, string(want), all.String())
}

// accepting posts a form with the header Accept; "" for none.
func (s *server) accepting(accept string, op *remote.Operation, pairs ...string) reply {
	s.t.Helper()
	form := s.credentials(op)
	for name, values := range params(pairs...) {
		form[name] = values
	}
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+op.Path(), strings.NewReader(credentialsFirst(form))))(s.t)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if accept != "" {
		req.Header.Set("Accept", accept)
	}
	return s.do(req)
}
