package apitest

import (
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/service/help"
	"paperfs/remote/testrun"
)

func TestHelpPages(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BasePath = "base" })
	for _, op := range offered() {
		group := "/base/V2/" + op.Group + ".asmx"
		r := s.visit(group)
		require.Equal(t, 200, r.status)
		require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
		require.Contains(t, r.body, `<a href="?op=`+op.Name+`">`)
		r = s.visit(strings.ToLower(group) + "?op=" + op.Name)
		require.Equal(t, 200, r.status)
		require.Contains(t, r.body, "POST /base"+op.Path()+" HTTP/1.1")
		for _, name := range append([]string{op.Pair.Username}, op.All()...) {
			require.Contains(t, r.body, name)
		}
	}
	for _, path := range []string{"/Image.asmx", "/Client.asmx", "/Paper.asmx?op=Nothing", "/Paper.asmx?op=GetTree", "/Paper.asmx?op=", "/Paper.asmx?DISCO"} {
		require.Equal(t, 404, s.visit("/base/V2"+path).status, path)
	}
	require.Equal(t, 404, s.visit("/base/V2/Image.asmx?op=GetImageWith2PxDropShadow").status, "an unsupported operation has no help page")
}

// TestRecipesSendLargeFiles checks that the recipes on an upload's help page work even with more
// content than curl can encode by itself.
func TestRecipesSendLargeFiles(t *testing.T) {
	t.Parallel()
	s := start(t)
	content := make([]byte, 12<<20+1)
	_, _ = rand.NewChaCha8([32]byte{3}).Read(content)
	file := filepath.Join(t.TempDir(), "a file")
	require.NoError(t, os.WriteFile(file, content, 0o600))
	sum := sha256.Sum256(content)
	recipes := regexp.MustCompile(`(?s)<pre[^>]*>((?:curl|import).*?)</pre>`).FindAllStringSubmatch(s.visit("/V2/Media.asmx?op=UploadFile").body, -1)
	require.Len(t, recipes, 2)
	testrun.Program(t, "curl")
	for i, start := range [][]string{{testrun.Program(t, "python3"), "-c"}, {testrun.Program(t, "bash"), "-c"}} {
		text := html.UnescapeString(recipes[i][1])
		args := append(start[1:], text)
		if i == 1 {
			args = append(args, "send.sh")
		}
		name := fmt.Sprintf("large-%d.bin", i)
		args[1] = strings.ReplaceAll(args[1], "large.bin", name)
		send := exec.Command(start[0], append(args, file)...)
		send.Env = append(os.Environ(), "PAPERFS_URL="+s.http.URL, "PAPERFS_USERNAME="+s.user, "PAPERFS_PASSWORD="+s.key)
		out, err := send.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "SUCCESS")
		require.Contains(t, s.must(remote.GetTree).data, fmt.Sprintf(`name="%s" size="12289" bytes="%d" sha256="%x"`, name, len(content), sum))
	}
	require.Contains(t, s.visit("/V2/Ripper.asmx?op=ProcessPDF").body, `base64Pdf=@\&#34;$1\&#34;`)
	require.NotContains(t, s.visit("/V2/Media.asmx?op=GetTree").body, "curl")
}

func TestHelpWithoutExtendedOperations(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.NoExtended = true })
	require.NotContains(t, s.visit("/V2/Media.asmx").body, "GetTree")
	require.NotContains(t, s.visit("/V2/Media.asmx?wsdl").body, "GetTree")
	require.NotContains(t, s.visit("/V2/Media.asmx?wsdl").body, "ifVersion")
	require.NotContains(t, s.visit("/V2/Media.asmx?op=UploadFile").body, "ifVersion")
	require.NotContains(t, s.visit("/V2/Media.asmx?op=UploadFile").body, "curl")
	require.Equal(t, 404, s.visit("/V2/CustomField.asmx").status)
}

func TestWSDLOfARawTree(t *testing.T) {
	t.Parallel()
	text := `name="GetAllPapersResult" type="xs:string"`
	require.Contains(t, start(t).visit("/V2/Paper.asmx?WSDL").body, text)
	raw := start(t, func(o *service.Options) { o.RawTree = true }).visit("/V2/Paper.asmx?WSDL").body
	require.NotContains(t, raw, text)
	require.NotContains(t, raw, `element="tns:string"`)
}

func TestWSDL(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.Namespace = "http://example.org/a&b/" })
	for _, op := range offered() {
		for _, query := range []string{"?WSDL", "?wsdl"} {
			r := s.visit("/V2/" + op.Group + ".asmx" + query)
			require.Equal(t, 200, r.status)
			require.Equal(t, "text/xml; charset=utf-8", r.header.Get("Content-Type"))
			require.Contains(t, r.body, `<xs:element name="`+op.Name+`">`)
			require.Contains(t, r.body, `targetNamespace="http://example.org/a&amp;b/"`)
			require.Contains(t, r.body, `<http:address location="`+s.http.URL+`/V2/`+op.Group+`.asmx" />`)
			require.NoError(t, xml.Unmarshal([]byte(r.body), new(struct{})))
		}
	}
}

// elementNames returns the elements of a piece of XML.
func elementNames(text string) map[string]bool {
	names := map[string]bool{}
	d := xml.NewDecoder(strings.NewReader("<data>" + text + "</data>"))
	for {
		token, err := d.Token()
		if err != nil {
			return names
		}
		if e, ok := token.(xml.StartElement); ok {
			names[e.Name.Local] = true
		}
	}
}

// TestHelpShowsFormatsAndAnswers checks that the page of each operation tells the format of
// each parameter, and that the examples of answers have the elements of real answers.
func TestHelpShowsFormatsAndAnswers(t *testing.T) {
	t.Parallel()
	s := imported(t)
	for _, op := range remote.Operations {
		page := s.get(s.http.URL + "/V2/" + op.Group + ".asmx?op=" + op.Name)
		for _, param := range append([]string{op.Pair.Username, op.Pair.Password}, op.All()...) {
			require.NotEmpty(t, help.Format(op, param), "%s %s", op.Name, param)
			if page.status == http.StatusOK {
				require.Contains(t, page.body, "<code>"+param+"</code></dt>\n<dd>", op.Name)
				require.NotContains(t, page.body, "<code>"+param+"</code></dt>\n<dd></dd>", op.Name)
			}
		}
	}
	for _, c := range successes {
		if c.op == remote.ReprocessPaper {
			s.idle()
		}
		r := s.must(c.op, c.pairs...)
		example := help.Answer(c.op)
		if !r.has || example == "" && c.op.Group == "Search" {
			continue
		}
		shown := elementNames(example)
		for name := range elementNames(r.data) {
			require.True(t, shown[name], "%s answers with %s, which its example lacks: %s", c.op.Name, name, r.data)
		}
	}
	require.Contains(t, s.get(s.http.URL+"/V2/Search.asmx?op=SearchPapersByCustomFields").body, "customfieldcriterias")
	require.Contains(t, s.get(s.http.URL+"/V2/Media.asmx?op=UploadFile").body, "0 is the top of the library")
	require.Contains(t, s.get(s.http.URL+"/V2/Paper.asmx?op=CreatePreviewToken").body, "?SecurityToken=TOKEN")
}
