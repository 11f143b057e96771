package importfile

import (
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/testrun"
)

func TestParseGivesTheFileInOrder(t *testing.T) {
	f := testrun.Must(os.Open("../testdata/import.xml"))(t)
	defer f.Close()
	file := testrun.Must(Parse(f))(t)
	require.Len(t, file.Fields, 4)
	require.Equal(t, 5, file.Fields[0].Line)
	var urls []string
	for _, n := range file.Nodes {
		urls = append(urls, n.URL)
	}
	require.Equal(t, []string{"/garden/", "/garden/spring-2031/", "/pumps/old/rain/"}, urls)
	require.Equal(t, remote.CategoryNode, file.Nodes[0].Kind)
	require.Equal(t, "#ffeedd", file.Nodes[0].Settings[1].Value)
	spring := file.Nodes[1]
	require.Equal(t, "29", spring.Orders[0].Lines[1].Price)
	require.Equal(t, "RK-7", spring.Orders[0].Lines[0].ProductID)
	require.Equal(t, 100, spring.Jobs[0].Progress)
	require.Equal(t, 0.5, spring.Links[0].Y)
	require.Nil(t, file.Nodes[2].Links)
}

func TestParseOfOtherEncodings(t *testing.T) {
	file := testrun.Must(Parse(strings.NewReader("<?xml version='1.0' encoding='iso-8859-1'?><import><paper url='/p/' name='\xfcber'/></import>")))(t)
	require.Equal(t, "über", file.Nodes[0].Name)
}

func TestParseOfDeepNesting(t *testing.T) {
	_, err := Parse(strings.NewReader("<import>" + strings.Repeat("<category url='/a/'>", 100_000)))
	require.ErrorContains(t, err, "not well-formed")
	_, err = Parse(strings.NewReader("<import><paper url='/a/'>" + strings.Repeat("<pages>", 100_000)))
	require.Error(t, err)
}

func TestParseTellsReadErrors(t *testing.T) {
	broken := errors.New("disk broken")
	_, err := Parse(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

// FuzzParse checks that every file leads to a result or to an error with a line.
func FuzzParse(f *testing.F) {
	example, err := os.ReadFile("../testdata/import.xml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add("<import><category id='1'><settings><a/></settings></category></import>")
	f.Add("<import><!DOCTYPE x></import>")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(strings.NewReader(text))
		if err == nil {
			require.NotNil(t, file)
			return
		}
		var located *Error
		require.True(t, errors.As(err, &located), "%T %v", err, err)
		require.Positive(t, located.Line)
	})
}

func TestParseRefusesLinksThatAct(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "data:text/html,x", "ftp://host/"} {
		_, err := Parse(strings.NewReader("<import><paper url='/p/'><pages/><root>\n<link><number>1</number><x>0</x><y>0</y><width>1</width><height>1</height><url>" + address + "</url></link></root></paper></import>"))
		require.ErrorContains(t, err, "line 2: the link's url", address)
	}
}
