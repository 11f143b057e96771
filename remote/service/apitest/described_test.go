package apitest

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/help"
	"paperfs/remote/testrun"
)

// described is the description of all operations, in which objects have no members but those that it names: clients
// take more, so the description itself does not say that.
var described = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := help.OpenAPI(offered())
	if err != nil {
		return nil, err
	}
	d, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	for _, s := range d.Components.Schemas {
		if s.Value.AdditionalProperties == (openapi3.AdditionalProperties{}) {
			s.Value.AdditionalProperties.Has = new(bool)
		}
	}
	return d, nil
})

// asDescribed checks that an answer in JSON is what the description of its operation says, with a code that it names.
func (r reply) asDescribed(t testing.TB, path string) {
	t.Helper()
	at := strings.Index(path, "/V2/")
	if r.header.Get("Content-Type") != asJSON || r.header.Get("Content-Encoding") != "" || r.body == "" || at < 0 {
		return
	}
	d := testrun.Must(described())(t)
	item := d.Paths.Value(path[at:])
	if item == nil {
		return // no operation
	}
	var value struct{ Code remote.Code }
	var whole any
	require.NoError(t, json.Unmarshal([]byte(r.body), &value), r.body)
	require.NoError(t, json.Unmarshal([]byte(r.body), &whole), r.body)
	answer := item.Post.Responses.Default()
	if r.status == http.StatusOK {
		answer = item.Post.Responses.Value("200")
		require.Contains(t, item.Post.Description, string(value.Code), path)
	}
	require.NoError(t, answer.Value.Content.Get(asJSON).Schema.Value.VisitJSON(whole, openapi3.MultiErrors()), "%s: %s", path, r.body)
}
