package help

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
)

func TestPages(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Group(&b, "Paper", []*remote.Operation{remote.GetAllPapers, remote.MovePaper}))
	require.Contains(t, b.String(), `<a href="?op=MovePaper">MovePaper</a>`)
	b.Reset()
	require.NoError(t, Operation(&b, remote.MovePaper, "/<base>/V2/Paper.asmx/MovePaper"))
	require.Contains(t, b.String(), "POST /&lt;base&gt;/V2/Paper.asmx/MovePaper")
	require.Contains(t, b.String(), "plUsername=string&amp;plPassword=string&amp;sourcePaperID=string&amp;destinationParentID=string")
	require.Contains(t, b.String(), "READONLY")
}

// definitions is the part of WSDL that the test reads.
type definitions struct {
	Target   string    `xml:"targetNamespace,attr"`
	Elements []element `xml:"types>schema>element"`
	Messages []struct {
		Name  string `xml:"name,attr"`
		Parts []struct {
			Name    string `xml:"name,attr"`
			Element string `xml:"element,attr"`
		} `xml:"part"`
	} `xml:"message"`
	Bindings []struct {
		Operations []struct {
			Name string `xml:"name,attr"`
		} `xml:"operation"`
	} `xml:"binding"`
	Address []struct {
		Location string `xml:"location,attr"`
	} `xml:"service>port>address"`
}

type element struct {
	Name     string    `xml:"name,attr"`
	Type     string    `xml:"type,attr"`
	Min      string    `xml:"minOccurs,attr"`
	Children []element `xml:"complexType>sequence>element"`
}

func TestWSDL(t *testing.T) {
	for _, op := range remote.Operations {
		var b strings.Builder
		require.NoError(t, WSDL(&b, Description{Group: op.Group, Operations: []*remote.Operation{op}, Namespace: "http://tempuri.org/?a&b", Address: "http://h/<V2>/" + op.Group + ".asmx"}))
		var d definitions
		require.NoError(t, xml.Unmarshal([]byte(b.String()), &d))
		require.Equal(t, "http://tempuri.org/?a&b", d.Target)
		require.Equal(t, op.Name, d.Elements[0].Name)
		var names []string
		for _, child := range d.Elements[0].Children {
			require.Equal(t, "xs:string", child.Type)
			require.Equal(t, "0", child.Min)
			names = append(names, child.Name)
		}
		require.Equal(t, params(op), names)
		result := d.Elements[1].Children[0]
		require.Equal(t, op.Name+"Result", result.Name)
		require.Equal(t, op.Wrapped, result.Type == "xs:string")
		require.Len(t, d.Messages, 6)
		require.Equal(t, "tns:"+op.Name, d.Messages[0].Parts[0].Element)
		require.Equal(t, "tns:"+op.Name+"Response", d.Messages[1].Parts[0].Element)
		require.Len(t, d.Messages[2].Parts, len(names))
		require.Equal(t, op.Wrapped, d.Messages[3].Parts[0].Element == "tns:string")
		require.Len(t, d.Bindings, 4)
		require.Equal(t, op.Name, d.Bindings[3].Operations[0].Name)
		require.Equal(t, "http://h/<V2>/"+op.Group+".asmx", d.Address[1].Location)
	}
}
