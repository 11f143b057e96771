package servicetest

import (
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
)

func TestFixtureServes(t *testing.T) {
	t.Parallel()
	f := Start(t, func(o *service.Options) { o.BasePath = "/base" })
	p := NewProxy(t, f.URL)
	resp, err := http.PostForm(p.URL+remote.GetPaperIDFromUrl.Path(),
		url.Values{"plUsername": {f.Username}, "plPassword": {f.Password}, "url": {"/"}})
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Contains(t, string(body), "SUCCESS")
	require.Contains(t, string(body), `<paper id="1" />`)
	require.Equal(t, 1, p.Count(remote.GetPaperIDFromUrl))
	require.NoError(t, f.Admin().SetReadOnly(true))
}
