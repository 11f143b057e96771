package apitest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/help"
	"paperfs/remote/testrun"
)

// openAPI is the part of a description that tests read.
type openAPI struct {
	OpenAPI string
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string
		RequestBody struct {
			Content map[string]struct {
				Schema struct {
					Required   []string
					Properties map[string]any
				}
			}
		}
	}
}

func (s *server) description(t *testing.T, path string) (d openAPI) {
	r := s.visit(path)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, asJSON, r.header.Get("Content-Type"))
	require.NoError(t, json.Unmarshal([]byte(r.body), &d))
	return d
}

func TestOpenAPIDescribesEveryOperation(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BasePath = "base" })
	text := s.visit("/base/V2/openapi.json").body
	require.NoError(t, testrun.Must(openapi3.NewLoader().LoadFromData([]byte(text)))(t).Validate(t.Context()))
	d := s.description(t, "/base/V2/openapi.json")
	require.Equal(t, "3.0.3", d.OpenAPI)
	require.Equal(t, s.http.URL+"/base", d.Servers[0].URL)
	require.Len(t, d.Paths, len(offered()))
	for _, op := range offered() {
		post := d.Paths[op.Path()]["post"]
		require.Equal(t, op.Name, post.OperationID)
		kind := asJSON
		if op.Bulk != "" {
			kind = formKind
		}
		schema := post.RequestBody.Content[kind].Schema
		require.Len(t, schema.Properties, 2+len(op.All()), op.Name)
		for _, name := range op.Own {
			require.NotContains(t, schema.Required, name)
		}
		require.Len(t, schema.Required, 2+len(op.Params)-len(op.Optional), op.Name)
	}
	require.Equal(t, http.StatusNotFound, s.visit("/V2/openapi.json").status)
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+"/base/V2/openapi.json", nil))(t)
	require.Equal(t, http.StatusMethodNotAllowed, s.do(req).status)
}

func TestOpenAPIOfTheTwenty(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.NoExtended = true })
	d := s.description(t, "/V2/openapi.json")
	require.Len(t, d.Paths, 20)
	require.NotContains(t, s.visit("/V2/openapi.json").body, "ifVersion")
}

// generator is a kept program that makes a client of a description.
const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

// TestAGeneratedClientCallsEveryOperation checks the description by a client that a generator makes of it. The client
// knows only what is described: it has what every answer has in it.
func TestAGeneratedClientCallsEveryOperation(t *testing.T) {
	t.Parallel()
	testrun.Long(t, "builds a generator and a client")
	s := imported(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "openapi.json")
	require.NoError(t, os.WriteFile(file, []byte(s.visit("/V2/openapi.json").body), 0o600))
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "PAPERFS_URL="+s.http.URL, "PAPERFS_USERNAME="+s.user, "PAPERFS_PASSWORD="+s.key)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
		return string(out)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module client\n\ngo 1.24\n"), 0o600))
	run("run", generator, "-generate", "types,client", "-package", "main", "-o", filepath.Join(dir, "client.gen.go"), file)
	program := testrun.Must(os.ReadFile("testdata/openapi/main.go.txt"))(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), append(program, calls(t)...), 0o600))
	run("mod", "tidy")
	out := run("run", ".")
	require.Contains(t, out, "GetContent: <svg/>\n")
	for _, c := range successes {
		if c.op != remote.ReprocessPaper {
			require.Contains(t, out, c.op.Name+": SUCCESS\n")
		}
	}
}

// calls returns the part of the client program that calls the operations.
func calls(t *testing.T) []byte {
	var b bytes.Buffer
	b.WriteString("\nfunc calls(c *ClientWithResponses) {\n")
	for _, c := range successes {
		if c.op == remote.ReprocessPaper {
			continue // it would wait for a job
		}
		body := params(c.op.Pair.Username, "", c.op.Pair.Password, "")
		for name, values := range params(c.pairs...) {
			body[name] = values
		}
		object := map[string]string{}
		for name := range body {
			object[name] = body.Get(name)
		}
		text := testrun.Must(json.Marshal(object))(t)
		kind, send := c.op.Name+"JSONRequestBody", c.op.Name+"WithResponse"
		if c.op.Bulk != "" {
			kind, send = c.op.Name+"FormdataRequestBody", c.op.Name+"WithFormdataBodyWithResponse"
		}
		b.WriteString("\t{\n\t\tbody := read[" + kind + "](" + quoted(string(text)) + ")\n")
		b.WriteString("\t\tr, err := c." + send + "(context.Background(), body)\n\t\tmust(err)\n")
		b.WriteString("\t\ttell(" + quoted(c.op.Name) + ", r.HTTPResponse, r.Body, r.JSON200)\n\t}\n")
		if c.op == remote.UploadFile { // the file is moved and deleted later
			b.WriteString("\t{\n\t\tbody := read[GetContentJSONRequestBody](`{\"username\":\"\",\"password\":\"\",\"fileID\":\"1\"}`)\n")
			b.WriteString("\t\tr, err := c.GetContentWithResponse(context.Background(), body)\n\t\tmust(err)\n")
			b.WriteString("\t\tfmt.Printf(\"GetContent: %s\\n\", r.Body)\n\t}\n")
		}
	}
	b.WriteString("}\n")
	return b.Bytes()
}

func quoted(text string) string { return "`" + strings.ReplaceAll(text, "`", "") + "`" }

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
