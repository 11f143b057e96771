package apitest

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service"
	"paperfs/remote/testrun"
)

// TestAKeyInThePathIsNotTold checks that a query that ended up in the path appears neither in the
// log nor in the answer.
func TestAKeyInThePathIsNotTold(t *testing.T) {
	t.Parallel()
	var log logBuffer
	s := start(t, func(o *service.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	const call = "/V2/Paper.asmx/GetPaperIDFromUrl"
	for _, sign := range []string{"%3F", "%3f", "%253F", "&", "%26", "%2526", ";", "%3B", "=", "%0A", "%00", "%C2%85"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			for _, path := range []string{call, "/page"} {
				req := testrun.Must(http.NewRequest(method, s.http.URL+path+sign+"plUsername=x"+sign+"plPassword=KEY", nil))(t)
				r := s.do(req)
				require.NotEqual(t, http.StatusOK, r.status)
				require.NotContains(t, r.body, "KEY", sign)
			}
		}
	}
	r := s.get(s.http.URL + "/V2/Paper.asmx/" + strings.Repeat("x", 50_000))
	require.Equal(t, http.StatusInternalServerError, r.status)
	require.Less(t, len(r.body), 200)
	require.Contains(t, log.String(), "path="+call+" ")
	require.Contains(t, log.String(), "path=/page ")
	require.NotContains(t, log.String(), "KEY")
	require.NotContains(t, log.String(), strings.Repeat("x", 1000))
}
