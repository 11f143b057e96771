package help

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/reader/view"
	"paperfs/remote/testrun"
)

var record = flag.Bool("record", false, "write the documents of TestDocumentsAreAsRecorded to testdata")

// TestDocumentsAreAsRecorded compares a document of each kind with that in testdata. If a change is meant, record them:
// go test ./remote/service/help -run Recorded -record
func TestDocumentsAreAsRecorded(t *testing.T) {
	group := slices.DeleteFunc(slices.Clone(remote.Operations), func(op *remote.Operation) bool { return op.Group != remote.UploadFile.Group })
	for name, write := range map[string]func(io.Writer) error{
		"group.html":  func(w io.Writer) error { return Group(w, "Media", group) },
		"upload.html": func(w io.Writer) error { return Operation(w, remote.UploadFile, "/a&b/V2/Media.asmx/UploadFile") },
		"move.html":   func(w io.Writer) error { return Operation(w, remote.MovePaper, "/V2/Paper.asmx/MovePaper") },
		"media.xml": func(w io.Writer) error {
			return WSDL(w, Description{Group: "Media", Operations: group[:2], Namespace: "http://tempuri.org/?a&b", Address: "http://h/<V2>/Media.asmx"})
		},
	} {
		var b strings.Builder
		require.NoError(t, write(&b))
		text := b.String()
		for _, asset := range []string{"icon.svg", "reader.css", "help.css"} {
			text = strings.ReplaceAll(text, view.AssetPath(asset), "reader/"+asset)
		}
		file := filepath.Join("testdata", name)
		if *record {
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		}
		require.Equal(t, string(testrun.Must(os.ReadFile(file))(t)), text, name)
	}
}
