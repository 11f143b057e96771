package remote

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSmoke(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		w.Write([]byte(`<?xml version="1.0" encoding="utf-8"?>
<string xmlns="http://tempuri.org/">&lt;?xml version="1.0" encoding="utf-16"?&gt;&lt;result&gt;&lt;code&gt;&lt;![CDATA[SUCCESS]]&gt;&lt;/code&gt;&lt;data&gt;&lt;category id="1" name="A &amp;amp; B" url="/"&gt;&lt;paper id="2" name="x" url="/x/"/&gt;&lt;/category&gt;&lt;/data&gt;&lt;/result&gt;</string>`))
	}))
	defer srv.Close()
	c, err := New(Options{BaseURL: srv.URL})
	require.NoError(t, err)
	var got []Node
	err = c.GetAllPapers(context.Background(), 1, func(n Node) error { got = append(got, n); return nil })
	require.NoError(t, err)
	require.Equal(t, []Node{{ID: 1, Kind: CategoryNode, Name: "A & B", URL: "/"}, {ID: 2, Parent: 1, Kind: PaperNode, Name: "x", URL: "/x/"}}, got)
}
