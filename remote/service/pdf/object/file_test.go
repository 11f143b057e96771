package object

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

const written = "%PDF-1.7\r\n1 0 obj\r\n<</Type/Catalog/Pages 2 0 R >>\r\nendobj\r\n2 0 obj\r\n<</Kids[ 3 0 R  4 0 R ]/Note(a \\(endobj\\) b)/N#20e <FEFF00>>>\r\nendobj\r\n" +
	"3 0 obj\r\n<</Length 20>>stream\r\nendobj\r\n9 0 obj 1234\r\nendstream\r\nendobj\r\n4 0 obj\r\n[ 1 -2.5 true null /A(A\\n)]\r\nendobj\r\nxref\r\n0 5\r\ntrailer\r\n<</Root 1 0 R /Size 5>>\r\nstartxref\r\n9\r\n%%EOF\r\n"

func TestRead(t *testing.T) {
	t.Parallel()
	f := testrun.Must(Read(strings.NewReader(written)))(t)
	require.Equal(t, []Ref{1, 4}, []Ref{f.Root, f.Last})
	pages := f.Dict(f.Dict(f.Root)["Pages"])
	require.Equal(t, Dict{"Kids": Array{Ref(3), Ref(4)}, "Note": String("a (endobj) b"), "N e": String("\xfe\xff\x00")}, pages)
	require.Equal(t, Dict{"Length": 20.}, f.Dict(pages["Kids"].(Array)[0]))
	require.Equal(t, Array{1., -2.5, true, nil, Name("A"), String("A\n")}, f.Array(Ref(4)))
	require.Nil(t, f.Get(Ref(7)))
	require.Equal(t, "<</Type/Catalog/Pages 2 0 R /Lang(de)>>", f.With(1, "/Lang(de)"))
}

// FuzzRead checks that any input ends.
func FuzzRead(f *testing.F) {
	f.Add(written)
	f.Add("1 0 obj\n1 0 R\nendobj\ntrailer\n<</Root 1 0 R>>")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		file.Get(file.Root)
		for ref, dict := range file.All {
			again, err := Parse(file.With(ref, "/New 1"))
			if d, _ := again.(Dict); err != nil || d["New"] != 1. || len(d) < len(dict) {
				t.Fatalf("%v becomes %v, %v", dict, again, err)
			}
		}
	})
}
