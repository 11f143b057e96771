package names

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paperfs/remote"
)

func TestShowNames(t *testing.T) {
	category := func(id int64, name string) remote.Node {
		return remote.Node{ID: id, Kind: remote.CategoryNode, Name: name}
	}
	paper := func(id int64, name string) remote.Node {
		return remote.Node{ID: id, Kind: remote.PaperNode, Name: name}
	}
	for name, row := range map[string]struct {
		siblings []remote.Node
		want     []string
	}{
		"plain":                {[]remote.Node{category(1, "2027"), paper(2, "Spring")}, []string{"2027", "Spring.paper"}},
		"same name, two kinds": {[]remote.Node{category(1, "A"), paper(2, "A")}, []string{"A", "A.paper"}},
		"duplicates":           {[]remote.Node{paper(1, "A"), paper(2, "A"), paper(3, "B")}, []string{"A~1.paper", "A~2.paper", "B.paper"}},
		"case differs":         {[]remote.Node{paper(1, "A"), paper(2, "a")}, []string{"A.paper", "a.paper"}},
		"slash and dot":        {[]remote.Node{category(1, "a/b"), category(2, ".git"), category(3, "..")}, []string{"a／b", "．git", "．."}},
		"full-width forms":     {[]remote.Node{category(1, "a／b"), category(2, "．x"), category(3, "‛")}, []string{"a‛／b", "‛．x", "‛‛"}},
		"inner dot":            {[]remote.Node{category(1, "v1.2")}, []string{"v1.2"}},
		"category like paper":  {[]remote.Node{category(9, "X.paper"), paper(3, "X")}, []string{"X.paper~9", "X~3.paper"}},
		"ends like an id":      {[]remote.Node{category(9, "X~12"), paper(8, "Y~3"), category(7, "~")}, []string{"X~12~9", "Y~3~8.paper", "~"}},
		"mapped alike":         {[]remote.Node{category(1, "a/b"), category(2, "a／b")}, []string{"a／b", "a‛／b"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, row.want, Show(row.siblings)) })
	}
}

func TestLongNamesAreCutAtACharacter(t *testing.T) {
	long := strings.Repeat("é", 200)
	got := Show([]remote.Node{{ID: 4711, Kind: remote.PaperNode, Name: long}})[0]
	assert.LessOrEqual(t, len(got), Max)
	assert.True(t, utf8.ValidString(got))
	assert.True(t, strings.HasSuffix(got, "~4711.paper"), got)
}

func TestParseName(t *testing.T) {
	for name, want := range map[string]struct {
		kind remote.NodeKind
		text string
		err  error
	}{
		"Catalogues":                      {kind: remote.CategoryNode, text: "Catalogues"},
		"Spring.paper":                    {kind: remote.PaperNode, text: "Spring"},
		"a／b":                             {kind: remote.CategoryNode, text: "a/b"},
		"．git":                            {kind: remote.CategoryNode, text: ".git"},
		"a‛／b.paper":                      {kind: remote.PaperNode, text: "a／b"},
		"]]> \"'&<.paper":                 {kind: remote.PaperNode, text: "]]> \"'&<"},
		"X.paper.paper":                   {kind: remote.PaperNode, text: "X.paper"},
		".git":                            {err: ErrHidden},
		".paper":                          {err: ErrHidden},
		"draft~":                          {err: ErrHidden},
		" a":                              {err: errBlank},
		"a ":                              {err: errBlank},
		"a\u00a0":                         {err: errBlank},
		"a\x01b":                          {err: errCharacters},
		"a\xff":                           {err: errCharacters},
		"X~12":                            {err: ErrOther},
		"a．b":                             {err: ErrOther},
		"‛a":                              {err: ErrOther},
		"end‛":                            {err: ErrOther},
		strings.Repeat("x", 256):          {err: errLong},
		strings.Repeat("é", 150):          {err: ErrLongHere},
		strings.Repeat("x", 255):          {kind: remote.CategoryNode, text: strings.Repeat("x", 255)},
		strings.Repeat("x", 250) + Suffix: {err: ErrLongHere},
	} {
		kind, text, err := Parse(name)
		assert.Equal(t, want.err, err, "%q", name)
		if want.err == nil {
			assert.Equal(t, want.kind, kind, "%q", name)
			assert.Equal(t, want.text, text, "%q", name)
		}
	}
}

// siblings generates nodes whose names are likely to collide.
func siblings() *rapid.Generator[[]remote.Node] {
	text := rapid.OneOf(rapid.SampledFrom([]string{"A", "a", "A~1", "A.paper", "x/y", "x／y", ".h", "．h", "‛", "~9", ".search", "url"}),
		rapid.StringN(1, 255, -1), rapid.StringOfN(rapid.RuneFrom([]rune("/．／‛.~1é")), 1, 200, -1))
	return rapid.Custom(func(t *rapid.T) []remote.Node {
		nodes := make([]remote.Node, rapid.IntRange(1, 12).Draw(t, "count"))
		for i := range nodes {
			nodes[i] = remote.Node{ID: int64(i + 1), Name: text.Draw(t, "name"),
				Kind: rapid.SampledFrom([]remote.NodeKind{remote.CategoryNode, remote.PaperNode}).Draw(t, "kind")}
		}
		return nodes
	})
}

func TestShownNamesAreUniqueValidAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := siblings().Draw(t, "siblings")
		names := Show(nodes)
		seen := map[string]bool{}
		for i, name := range names {
			require.False(t, seen[name], "%q is shown twice", name)
			seen[name] = true
			require.LessOrEqual(t, len(name), Max)
			require.NotEmpty(t, name)
			require.NotContains(t, name, "/")
			require.False(t, strings.HasPrefix(name, "."), "%q is hidden", name)
			require.Equal(t, nodes[i].Kind == remote.PaperNode, strings.HasSuffix(name, Suffix), "%q", name)
		}
		reversed := make([]remote.Node, len(nodes))
		for i, n := range nodes {
			reversed[len(nodes)-1-i] = n
		}
		for i, name := range Show(reversed) {
			require.Equal(t, names[len(nodes)-1-i], name)
		}
	})
}

func TestEncodeAndDecodeUndoEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("/．／‛.~")))).Draw(t, "text")
		require.Equal(t, text, Decode(Encode(text)))
	})
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"A", "A.paper", "．x", "‛／", "~1", "a\xffb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		kind, text, err := Parse(name)
		if err != nil {
			return
		}
		got := Show([]remote.Node{{ID: 7, Kind: kind, Name: text}})[0]
		if got != name {
			t.Fatalf("%q makes %q, which is listed as %q", name, text, got)
		}
	})
}
