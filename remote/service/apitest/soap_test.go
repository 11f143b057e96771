package apitest

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service"
	"paperfs/remote/testrun"
)

// soapClient is a program that makes the calls it is given over SOAP.
type soapClient struct {
	t      *testing.T
	in     io.Writer
	answer *bufio.Scanner
}

func (s *server) soapClient(t *testing.T, version string, command ...string) *soapClient {
	cmd := exec.Command(command[0], append(command[1:], s.http.URL, version)...)
	cmd.Stderr = os.Stderr
	in := testrun.Must(cmd.StdinPipe())(t)
	out := testrun.Must(cmd.StdoutPipe())(t)
	if root, err := exec.Command("npm", "root", "-g").Output(); err == nil {
		cmd.Env = append(os.Environ(), "NODE_PATH="+strings.TrimSpace(string(root)))
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	c := &soapClient{t, in, bufio.NewScanner(out)}
	c.answer.Buffer(nil, 1<<20)
	return c
}

// soapAnswer is an answer as decoded by a client.
type soapAnswer struct{ Result, Code, Fault, Words string }

func (c *soapClient) call(op *remote.Operation, form map[string][]string) soapAnswer {
	c.t.Helper()
	parameters := map[string]string{}
	for name, values := range form {
		parameters[name] = values[0]
	}
	line := testrun.Must(json.Marshal(map[string]any{"group": op.Group, "operation": op.Name, "parameters": parameters}))(c.t)
	testrun.Must(c.in.Write(append(line, '\n')))(c.t)
	require.True(c.t, c.answer.Scan(), "%s: the client ended", op.Name)
	var a soapAnswer
	require.NoError(c.t, json.Unmarshal(c.answer.Bytes(), &a), c.answer.Text())
	return a
}

// soapClients are programs that people use with the service.
func soapClients(t *testing.T) map[string][]string {
	clients := map[string][]string{}
	if php := testrun.Program(t, "php"); exec.Command(php, "-r", "exit(class_exists('SoapClient') ? 0 : 1);").Run() == nil {
		clients["PHP"] = []string{php, "testdata/soap/client.php"}
	}
	node := testrun.Program(t, "node")
	if root, err := exec.Command(testrun.Program(t, "npm"), "root", "-g").Output(); err == nil {
		if _, err := os.Stat(strings.TrimSpace(string(root)) + "/soap"); err == nil {
			clients["npm"] = []string{node, "testdata/soap/client.js"}
		}
	}
	if len(clients) < 2 {
		testrun.Missing(t, "PHP's SoapClient or npm's soap")
	}
	return clients
}

// result returns the names and texts of the result document.
func result(t *testing.T, text string) (tokens []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	inside := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return tokens
		}
		require.NoError(t, err, text)
		switch token := token.(type) {
		case xml.StartElement:
			if inside = inside || token.Name.Local == "result"; inside {
				require.Empty(t, token.Name.Space)
				tokens = append(tokens, "<"+token.Name.Local)
			}
			for _, at := range token.Attr {
				if inside && at.Name.Local != "xmlns" {
					tokens = append(tokens, at.Name.Local+"="+at.Value)
				}
			}
		case xml.EndElement:
			if inside {
				tokens = append(tokens, ">")
			}
			inside = inside && !(token.Name.Local == "result" && strings.Count(strings.Join(tokens, ""), "<") == strings.Count(strings.Join(tokens, ""), ">"))
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); inside && text != "" {
				tokens = append(tokens, text)
			}
		}
	}
}

// TestSOAPClients checks that the WSDL suffices to call every operation, with the same results as
// by POST.
func TestSOAPClients(t *testing.T) {
	t.Parallel()
	for name, command := range soapClients(t) {
		for _, version := range []string{"1.1", "1.2"} {
			if !testrun.OneWay(name, (version == "1.2") == (name == "npm")) {
				continue
			}
			t.Run(name+" "+version, func(t *testing.T) {
				plain, soaped := imported(t), imported(t)
				client := soaped.soapClient(t, version, command...)
				for _, c := range successes {
					if c.op == remote.ReprocessPaper {
						plain.idle()
						soaped.idle()
					}
					want := plain.call(c.op, c.pairs...)
					form := soaped.credentials(c.op)
					for name, values := range params(c.pairs...) {
						form[name] = values
					}
					got := client.call(c.op, form)
					require.Empty(t, got.Fault, "%s: %s", c.op.Name, got.Words)
					require.Contains(t, []string{"", "SUCCESS"}, got.Code)
					text := want.body
					if c.op.Wrapped {
						text = unwrapped(t, text)
						require.True(t, strings.HasPrefix(got.Result, "<?xml"), got.Result)
					}
					expect, have := result(t, text), result(t, got.Result)
					if c.op == remote.CreatePreviewToken || c.op == remote.GetTree || c.op == remote.GetPaperStructure || c.op.Group == "Ripper" || c.op.Offer != "" { // new each time, or with the host's name
						expect, have = expect[:6], have[:6]
					}
					require.Equal(t, expect, have, c.op.Name)
				}
				got := client.call(remote.GetSetting, map[string][]string{"plUsername": {soaped.user}, "plPassword": {"wrong"}})
				require.Contains(t, got.Result, "LOGIN_SECURITY_VIOLATION", "a failure of the service is a result")
			})
		}
	}
}

func unwrapped(t *testing.T, body string) string {
	var text string
	require.NoError(t, xml.Unmarshal([]byte(body), &text))
	return text
}

// TestSOAPClientsOfARawTree checks that the WSDL describes a raw tree correctly.
func TestSOAPClientsOfARawTree(t *testing.T) {
	testrun.Long(t, "starts SOAP clients in PHP and Node.js")
	t.Parallel()
	for name, command := range soapClients(t) {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(o *service.Options) { o.RawTree, o.Namespace = true, "http://example.org/papers/" })
			form := s.credentials(remote.GetAllPapers)
			form.Set("paperID", s.root())
			got := s.soapClient(t, "1.1", command...).call(remote.GetAllPapers, form)
			require.Empty(t, got.Fault, got.Words)
			require.Equal(t, result(t, s.must(remote.GetAllPapers, "paperID", s.root()).body), result(t, got.Result))
		})
	}
}

// soap posts a SOAP request as written.
func (s *server) soap(kind, action, body string) reply {
	s.t.Helper()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+"/V2/Paper.asmx", strings.NewReader(body)))(s.t)
	req.Header.Set("Content-Type", kind)
	if action != "" {
		req.Header.Set("SOAPAction", action)
	}
	resp := testrun.Must(http.DefaultClient.Do(req))(s.t)
	defer resp.Body.Close()
	return reply{status: resp.StatusCode, header: resp.Header, body: string(testrun.Must(io.ReadAll(resp.Body))(s.t))}
}

const (
	envelope11 = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">`
	envelope12 = `<Envelope xmlns="http://www.w3.org/2003/05/soap-envelope">`
)

func TestSOAPFaults(t *testing.T) {
	t.Parallel()
	s := start(t, func(o *service.Options) { o.BodyLimit = 4000 })
	get := `<GetPaperIDFromUrl xmlns="http://tempuri.org/"><plUsername>` + s.user + `</plUsername><plPassword>` + s.key + `</plPassword><url>/</url></GetPaperIDFromUrl>`
	body11 := func(inner string) string { return envelope11 + "<e:Body>" + inner + "</e:Body></e:Envelope>" }
	body12 := func(inner string) string { return envelope12 + "<Body>" + inner + "</Body></Envelope>" }
	const xml11, xml12 = "text/xml; charset=utf-8", "application/soap+xml; charset=utf-8"
	for _, c := range []struct {
		kind, action, body string
		status             int
		want               string
	}{
		{xml11, `"http://tempuri.org/GetPaperIDFromUrl"`, body11(get), 200, "SUCCESS"},
		{xml11, "http://tempuri.org/GetPaperIDFromUrl", body11(get), 200, "SUCCESS"},
		{xml11, `""`, body11(get), 200, "SUCCESS"},
		{xml11, "", "<!-- x -->" + envelope11 + "<e:Header><a/></e:Header><e:Body>" + get + "</e:Body></e:Envelope>", 200, "SUCCESS"},
		{xml12, "", body12(get), 200, "SUCCESS"},
		{xml12 + `; action="http://tempuri.org/GetPaperIDFromUrl"`, "", body12(get), 200, "SUCCESS"},
		{xml11, "", body11(strings.Replace(get, "<url>/</url>", "", 1)), 200, "ERROR"}, // a missing element is null
		{xml11, "", body11("<GetPaperIDFromUrl/>"), 200, "LOGIN_SECURITY_VIOLATION"},
		{xml11, "", body11(get + "<x><url>no</url></x>"), 200, "SUCCESS"},

		{xml11, `"http://tempuri.org/Nothing"`, body11("<Nothing/>"), 500, "<faultcode>soap:Client</faultcode>"},
		{xml12, "", body12("<Nothing/>"), 500, "<soap:Value>soap:Sender</soap:Value>"},
		{xml11, "", body11("<UploadFile/>"), 500, "soap:Client"}, // an operation of another group
		{xml11, `"http://other/GetPaperIDFromUrl"`, body11(get), 500, "soap:Client"},
		{xml11, `"http://tempuri.org/GetSetting"`, body11(get), 500, "soap:Client"},
		{xml12, "", body11(get), 500, "soap:VersionMismatch"},
		{xml11, "", body12(get), 500, "soap:VersionMismatch"},
		{xml11, "", envelope11 + `<e:Header><a e:mustUnderstand="1"/></e:Header><e:Body>` + get + "</e:Body></e:Envelope>", 500, "soap:MustUnderstand"},
		{xml11, "", body11(""), 500, "nothing in the &lt;Body&gt;"},
		{xml11, "", envelope11 + "</e:Envelope>", 500, "soap:Client"},
		{xml11, "", "", 500, "the request is empty"},
		{xml11, "", "<html/>", 500, "soap:Client"},
		{xml11, "", body11(get)[:len(envelope11)+100], 500, "soap:Client"},
		{xml11, "", body11(strings.Replace(get, "<url>/</url>", "<url><x/></url>", 1)), 500, "in a parameter, which is text"},
		{xml11, "", `<!DOCTYPE x [<!ENTITY y "z">]>` + body11(get), 500, "soap:Client"},
		{xml11, "", body11(get + strings.Repeat(" ", 4000)), 413, "soap:Client"},
		{"application/x-www-form-urlencoded", "", "a=b", 415, "Send SOAP"},
		{"application/json", "", "{}", 415, "Send SOAP"},
	} {
		r := s.soap(c.kind, c.action, c.body)
		require.Equal(t, c.status, r.status, "%s %s", c.body, r.body)
		require.Contains(t, r.body, c.want, c.body)
		if c.status != 415 {
			require.Contains(t, []string{xml11, xml12}, r.header.Get("Content-Type"))
			require.Equal(t, strings.HasPrefix(c.kind, xml12), r.header.Get("Content-Type") == xml12, c.kind)
			require.NoError(t, xml.Unmarshal([]byte(r.body), new(struct{})), r.body)
		}
		require.NotContains(t, r.body, s.key)
	}
}

// TestSOAPUploadIsStreamed uploads more than the service keeps of a request.
func TestSOAPUploadIsStreamed(t *testing.T) {
	t.Parallel()
	s := start(t)
	block := make([]byte, 3<<16)
	_, _ = rand.NewChaCha8([32]byte{4}).Read(block)
	text := base64.StdEncoding.EncodeToString(block)
	const blocks = 40
	pipe, feed := io.Pipe()
	go func() {
		io.WriteString(feed, envelope11+"<e:Body><UploadFile xmlns='http://tempuri.org/'><username>"+s.user+"</username><password>"+s.key+
			"</password><parentID>0</parentID><name>a &amp; b</name><base64File>")
		for range blocks {
			io.WriteString(feed, text+"\r\n")
		}
		io.WriteString(feed, "</base64File></UploadFile></e:Body></e:Envelope>")
		feed.Close()
	}()
	req := testrun.Must(http.NewRequest(http.MethodPost, s.http.URL+"/V2/Media.asmx", pipe))(t)
	req.Header.Set("Content-Type", "text/xml")
	resp := testrun.Must(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	body := testrun.Must(io.ReadAll(resp.Body))(t)
	require.Contains(t, string(body), "<fileid>")
	tree := s.must(remote.GetTree)
	require.Equal(t, "a & b", tree.attribute(t, "name"))
	require.Equal(t, strings.Repeat(string(block), blocks), s.get(tree.attribute(t, "url")).body)
}

// TestASOAPTagIsBounded checks that the size of a tag, and of the names of the elements around it,
// is bounded before the credentials are known, and that the answer quotes only a little of them.
func TestASOAPTagIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	name := func(size int) string { return strings.Repeat("x", size) }
	open, end := envelope11+"<e:Body>", "</e:Body></e:Envelope>"
	for _, c := range []struct{ action, body, want string }{
		{"", open + "<" + name(100_000) + "/>" + end, "too large a tag"},
		{"", open + "<a " + name(100_000) + "='y'/>" + end, "too large a tag"},
		{"", open + "<" + name(100_000), "too large a tag"},
		{"", envelope11 + "<e:Header>" + strings.Repeat("<"+name(30_000)+">", 3), "too many open elements"},
		{"", open + "<" + name(60_000) + "/>" + end, "no operation " + name(100) + "…"},
		{name(60_000), open + "<" + name(60_000) + "/>" + end, "does not match"},
	} {
		r := s.soap("text/xml", c.action, c.body)
		require.Equal(t, http.StatusInternalServerError, r.status)
		require.Contains(t, r.body, c.want)
		require.Less(t, len(r.body), 1000)
	}
}
