package answer

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
)

// written returns the document that write makes, as JSON and as XML of a style.
func written(t require.TestingT, shape *Shape, style CDATAStyle, write func(w *Writer)) (asJSON, asXML string) {
	var j, x bytes.Buffer
	for _, w := range []*Writer{NewJSON(&j, shape), NewWriter(&x, style)} {
		w.Head = func() {
			w.Scalar("code", "SUCCESS")
			w.Text("message", "Here.")
		}
		write(w)
		w.BeginLists()
		if w.Begun() {
			w.Close("data")
		}
		if w.root != nil {
			w.EndJSON()
		}
		require.NoError(t, w.Flush())
		w.Release()
	}
	return j.String(), "<result>" + x.String() + "</result>"
}

func TestJSONOfAnAnswer(t *testing.T) {
	t.Parallel()
	const start = `{"code":"SUCCESS","message":"Here."`
	for _, c := range []struct {
		name  string
		shape string
		write func(w *Writer)
		json  string // of data
	}{
		{"nothing", "version", func(*Writer) {}, ``},
		{"a leaf", "fileid", func(w *Writer) { w.Plain("fileid", "7") }, `{"fileid":"7"}`},
		{"a leaf that the table does not have", "", func(w *Writer) { w.Text("iconPdf", "") }, `{"iconPdf":""}`},
		{"attributes", "paper{id name}", func(w *Writer) { w.Empty("paper", Int("id", 7), String("name", "a\"\\\n\t\r/\u2028é<")) },
			"{\"paper\":{\"id\":\"7\",\"name\":\"a\\\"\\\\\\n\\t\\r/\u2028é<\"}}"},
		{"a list of none", "papers{paper*{id}}", func(w *Writer) { w.Empty("papers") }, `{"papers":{"paper":[]}}`},
		{"a list of one", "papers{paper*{id}}", func(w *Writer) { w.Open("papers"); w.Empty("paper", Int("id", 7)); w.Close("papers") }, `{"papers":{"paper":[{"id":"7"}]}}`},
		{"lists that no element has", "a* b*", func(*Writer) {}, `{"a":[],"b":[]}`},
		{"the second list alone", "a* b* c*", func(w *Writer) { w.Text("b", "x"); w.Text("b", "y") }, "{\"a\":[],\"b\":[\"x\",\n\"y\"],\"c\":[]}"},
		{"a member after a list", "e{a* b*} v", func(w *Writer) { w.Open("e"); w.Text("a", "x"); w.Text("v", "z"); w.Close("e"); w.Text("v", "y") }, `{"e":{"a":["x"],"v":"z","b":[]},"v":"y"}`},
		{"attribute and child of one name", "link{@number number}", func(w *Writer) { w.Open("link", Int("number", 1)); w.Scalar("number", "4"); w.Close("link") }, `{"link":{"link-number":"1","number":"4"}}`},
		{"text beside attributes", "field{name text}", func(w *Writer) { w.Text("field", "Spring", String("name", "Season")) }, `{"field":{"name":"Season","text":"Spring"}}`},
		{"text in place of members", "flipbooks{flipbook*} text", func(w *Writer) { w.Chars("one of "); w.Chars(`"", "x"`) }, `{"text":"one of \"\", \"x\""}`},
		{"an object without members", "current{id?}", func(w *Writer) { w.Empty("current") }, `{"current":{}}`},
		{"recursion", "d*{n d*^ f*{n}} f*{n}", func(w *Writer) {
			w.Open("d", Int("n", 1))
			w.Empty("d", Int("n", 2))
			w.Close("d")
			w.Empty("f", Int("n", 3))
		}, `{"d":[{"n":"1","d":[{"n":"2","d":[],"f":[]}],"f":[]}],"f":[{"n":"3"}]}`},
	} {
		data := ReadShape("data", c.shape)
		got, _ := written(t, &Shape{Members: []Member{{Name: "code"}, {Name: "message"}, {Name: "data", Of: data}}}, Tight, c.write)
		want := start
		if c.json != "" {
			want += `,"data":` + c.json
		}
		require.Equal(t, want+"}\n", got, c.name)
		require.True(t, json.Valid([]byte(got)), c.name)
	}
}

// TestAFailureReplacesJSON checks that nothing is left of an answer that is reset.
func TestAFailureReplacesJSON(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := NewJSON(&b, ShapeOf(remote.GetTree))
	w.Head = func() { w.Text("code", "SUCCESS") }
	w.Open("directory", Int("directoryid", 1))
	w.Reset(&b)
	w.Head = func() { w.Text("code", "ERROR") }
	require.False(t, w.Begun())
	w.EndJSON()
	require.NoError(t, w.Flush())
	require.Equal(t, `{"code":"ERROR"}`+"\n", b.String())
}

// TestEachShapeIsRead checks that the table's shapes are of their form: no name stands twice in an element.
func TestEachShapeIsRead(t *testing.T) {
	t.Parallel()
	for _, op := range remote.Operations {
		seen := map[*Shape]bool{}
		var check func(s *Shape)
		check = func(s *Shape) {
			if seen[s] {
				return
			}
			seen[s] = true
			names := map[string]bool{}
			for _, m := range s.Members {
				require.False(t, names[m.Name], "%s: %s has %s twice", op.Name, s.Name, m.Name)
				require.Regexp(t, `^[A-Za-z][A-Za-z0-9-]*$`, m.Name, op.Name)
				names[m.Name] = true
				if m.Of != nil {
					check(m.Of)
				}
			}
		}
		check(ShapeOf(op))
	}
}

// anElement is an element of a random answer, by a random shape.
type anElement struct {
	name     string
	attrs    []Attr
	text     string
	children []anElement
}

var texts = rapid.SampledFrom([]string{"x", " ", "a b", "]]>", `"`, `\`, "\n", "\r\n", "\t", "é", "\U0001F600", "<&>", "\u0085"})

// aShape draws a shape, and below some elements that it has.
func aShape(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var words []string
		for _, name := range []string{"a", "b", "c", "d"} {
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				words = append(words, name)
			case 1:
				words = append(words, "@"+name, name)
			case 2:
				words = append(words, name+"*")
			case 3, 4:
				if depth > 0 {
					list := rapid.SampledFrom([]string{"", "*"}).Draw(t, "list")
					words = append(words, name+list+"{"+aShape(depth-1).Draw(t, "inner")+"}")
				}
			}
		}
		return strings.Join(words, " ")
	})
}

// drawElement draws an element of a shape; a nil one is a leaf.
func drawElement(t *rapid.T, name string, s *Shape) anElement {
	e := anElement{name: name}
	if s == nil {
		e.text = strings.Join(rapid.SliceOfN(texts, 0, 3).Draw(t, "text"), "")
		return e
	}
	for _, m := range s.Members {
		attr, doubled := strings.CutPrefix(m.Name, s.Name+"-")
		switch {
		case doubled:
			e.attrs = append(e.attrs, String(attr, texts.Draw(t, "attribute")))
		case m.List:
			for range rapid.IntRange(0, 3).Draw(t, "number") {
				e.children = append(e.children, drawElement(t, m.Name, m.Of))
			}
		case m.Of != nil || rapid.Bool().Draw(t, "child"):
			e.children = append(e.children, drawElement(t, m.Name, m.Of))
		case s.named(m.Name) == m.Name: // of one that has both, the attribute is there
			e.attrs = append(e.attrs, String(m.Name, texts.Draw(t, "attribute")))
		}
	}
	return e
}

func (e anElement) write(w *Writer) {
	switch {
	case len(e.children) > 0:
		w.Open(e.name, e.attrs...)
		for _, c := range e.children {
			c.write(w)
		}
		w.Close(e.name)
	case e.text != "":
		w.Text(e.name, e.text, e.attrs...)
	default:
		w.Empty(e.name, e.attrs...)
	}
}

// leavesOfXML returns the texts of a document in their order, by name.
func leavesOfXML(t require.TestingT, text string) (leaves []string) {
	d := xml.NewDecoder(strings.NewReader(text))
	var names []string
	var chars string
	for {
		token, err := d.Token()
		if err == io.EOF {
			return leaves
		}
		require.NoError(t, err, text)
		switch token := token.(type) {
		case xml.StartElement:
			names = append(names, token.Name.Local)
			for _, a := range token.Attr {
				leaves = append(leaves, a.Name.Local+"="+a.Value)
			}
			chars = ""
		case xml.CharData:
			chars += string(token)
		case xml.EndElement:
			if strings.TrimSpace(chars) != "" {
				leaves = append(leaves, names[len(names)-1]+"="+strings.TrimSpace(chars))
			}
			names, chars = names[:len(names)-1], ""
		}
	}
}

// leavesOfJSON is that of JSON. Of an attribute that has the name of a child, the element's name is left out.
func leavesOfJSON(t require.TestingT, text string) (leaves []string) {
	d := json.NewDecoder(strings.NewReader(text))
	type level struct {
		name   string // of the next value
		object bool
	}
	levels := []level{{}}
	top := func() *level { return &levels[len(levels)-1] }
	for {
		token, err := d.Token()
		if err == io.EOF {
			return leaves
		}
		require.NoError(t, err, text)
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				levels = append(levels, level{object: true})
			case '[':
				levels = append(levels, level{name: top().name})
			default:
				levels = levels[:len(levels)-1]
				if top().object {
					top().name = ""
				}
			}
		case string:
			if top().object && top().name == "" {
				top().name = token[strings.Index(token, "-")+1:]
				continue
			}
			if strings.TrimSpace(token) != "" {
				leaves = append(leaves, top().name+"="+strings.TrimSpace(token))
			}
			if top().object {
				top().name = ""
			}
		default:
			require.Fail(t, fmt.Sprintf("%v is no text", token))
		}
	}
}

// TestJSONHasTheLeavesOfXML checks, for random answers of random shapes, that both have the same texts in the same
// order under the same names, in every style of XML.
func TestJSONHasTheLeavesOfXML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := ReadShape("data", aShape(3).Draw(t, "shape"))
		shape := &Shape{Members: []Member{{Name: "code"}, {Name: "message"}, {Name: "data", Of: data}}}
		root := drawElement(t, "data", data)
		style := rapid.SampledFrom([]CDATAStyle{Tight, Padded, None}).Draw(t, "style")
		asJSON, asXML := written(t, shape, style, func(w *Writer) {
			for _, e := range root.children {
				e.write(w)
			}
		})
		var trimmed []string
		for _, leaf := range leavesOfXML(t, asXML) {
			if name, text, _ := strings.Cut(leaf, "="); strings.TrimSpace(text) != "" {
				trimmed = append(trimmed, name+"="+strings.TrimSpace(text))
			}
		}
		require.Equal(t, trimmed, leavesOfJSON(t, asJSON), "%s\n%s", asXML, asJSON)
	})
}

func TestPrefersJSON(t *testing.T) {
	t.Parallel()
	for accept, prefers := range map[string]bool{
		"": false, "*/*": false, "application/*": false, "application/json": true, "Application/JSON; charset=utf-8": true,
		"application/json;q=0": false, "application/json; q=0.1": true, "application/json;q=x": false, "application/json;q=2": false,
		"application/json, text/plain, */*": true, "*/*, application/json": true, "application/json;q=0.5, */*;q=0.5": true, "application/json, text/*": true,
		"application/json;q=0, */*;q=0": false, "application/json, application/*, application/xml": false, "application/json, */*;q=0.5": true, "application/json;q=0.4, */*;q=0.5": false,
		"text/xml, application/json": false, "text/xml;q=0.9, application/json": true, "text/xml, application/json;q=0.9": false,
		"application/*, application/xml;q=0.5, text/*;q=0.5": true, "application/*, application/json;q=0, text/xml;q=0": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": false, "application/jsonp": false, ",;": false, `text/x;a="application/json"`: false,
		"application/json;q=1;q=0": true, "application/json;Q=0": false, "*/*;q=0, application/json": true,
	} {
		require.Equal(t, prefers, PrefersJSON([]string{accept}), accept)
	}
	require.True(t, PrefersJSON([]string{"text/xml;q=0.1", "application/json"}), "in two lines")
}

// BenchmarkForms writes the same 5,000 papers as XML and as JSON.
func BenchmarkForms(b *testing.B) {
	for _, asJSON := range []bool{false, true} {
		b.Run(fmt.Sprintf("json=%v", asJSON), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := NewWriter(io.Discard, Tight)
				if asJSON {
					w = NewJSON(io.Discard, ShapeOf(remote.GetAllPapers))
				}
				w.Head = func() { w.Text("code", "SUCCESS") }
				w.Open("category", Int("id", 1), String("name", "Acme"), String("url", "/"))
				for i := range int64(5000) {
					w.Empty("paper", Int("id", i), String("name", "Pumps & hoses"), String("url", "/garden/pumps-and-hoses/"))
				}
				w.Close("category")
				w.Close("data")
				_ = w.Flush()
				w.Release()
			}
		})
	}
}
