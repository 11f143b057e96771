package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paperfs/cmd/paperfs/cli"
	"paperfs/cmd/paperfs/config"
	"paperfs/fs/programtest"
	"paperfs/remote/testrun"

	"github.com/stretchr/testify/require"
)

// TestOptionsOfPDFsAreCheckedAtTheStart checks that invalid options are reported at the start, not
// at the first PDF.
func TestOptionsOfPDFsAreCheckedAtTheStart(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for options, says := range map[string]string{
		"nonsense":             `--pdf-options: give an XML document with the root options, such as <options>`,
		"<option/>":            "with the root options",
		"<options>":            "with the root options",
		"<options/><options/>": "a second document",
		"<options><preserve-index>maybe</preserve-index></options>":                                     "preserve-index has to be true or false",
		"<options><import-link>true</import-link></options>":                                            "--pdf-options: the service would ignore the unknown element <import-link> (paperfs help pdf lists the elements)",
		"<options><import-bookmarks>true</import-bookmarks><Import-Links>true</Import-Links></options>": "unknown element <Import-Links>",
		"<options><preprocessors><watermark/></preprocessors></options>":                                "unknown element <watermark>",
		`<options><preprocessors><preprocessor name="stamp"/></preprocessors></options>`:                `the service has no preprocessor "stamp": the only one is watermark`,
		`<options><preprocessors><preprocessor name="watermark"><text>Draft</text><opacity>0.5</opacity><font-size>20</font-size><only-first-page>true</only-first-page><colour>red</colour></preprocessor></preprocessors></options>`: "unknown element <colour>",
	} {
		e.fail(cli.ExitUsage, says, "mount", "--pdf-options", options, e.path("ipaper"))
		require.NoDirExists(t, e.path("ipaper"))
	}
	e.set("PAPERFS_PDF_OPTIONS", "nonsense")
	e.fail(cli.ExitUsage, `PAPERFS_PDF_OPTIONS: give`, "mount", e.path("ipaper"))
	// Another service may know more elements: only the next check ends this mount.
	for name, value := range map[string]string{"URL": "http://127.0.0.1:1", "USERNAME": "APIKey", "PASSWORD": "secret", "PDF_OPTIONS": "<options><import-link>true</import-link></options>"} {
		e.set("PAPERFS_"+name, value)
	}
	e.fail(cli.ExitUsage, "the CA file cannot be read", "mount", "--ca-file", e.path("none.pem"), e.path("ipaper"))
}

// TestTheExampleOfPDFOptions checks that the embedded service accepts the topic's document. Without
// the table of products, it is what a mount of that service sends by default.
func TestTheExampleOfPDFOptions(t *testing.T) {
	t.Parallel()
	example := ""
	for line := range strings.Lines(documents(t)["topic/pdf.md"]) {
		if element, ok := strings.CutPrefix(line, "    "); ok && strings.HasPrefix(strings.TrimSpace(element), "<") {
			example += strings.TrimSpace(element)
		}
		if strings.HasPrefix(line, "    </options>") {
			break
		}
	}
	c := config.New()
	c.PDFOptions = example
	_, err := c.Check()
	require.NoError(t, err, example)
	elements := func(options string) (all []string) {
		all = regexp.MustCompile(`<[a-z-]+>[^<]+</[a-z-]+>`).FindAllString(options, -1)
		slices.Sort(all)
		return all
	}
	table := "<custom-link-import-name>spring</custom-link-import-name>"
	require.Contains(t, example, table)
	require.Equal(t, elements(config.New().EffectivePDFOptions()), elements(strings.Replace(example, table, "", 1)))
	c.PDFOptions = strings.Replace(example, "<import-links-styleid>1</import-links-styleid>", "", 1)
	_, err = c.Check()
	require.ErrorContains(t, err, "import-links needs import-links-styleid")
}

// TestAFileOfProfilesThatCannotBeReadIsToldOf checks that commands report an unreadable file even
// if they use no profile of it.
func TestAFileOfProfilesThatCannotBeReadIsToldOf(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	for _, args := range [][]string{{"mount", e.path("ipaper")}, {"config", "show"}} {
		e.fail(cli.ExitUsage, " is not a regular file: profiles must be in one\n", append(args, "--config", e.path())...)
	}
	require.NoDirExists(t, e.path("ipaper"))
	require.NoError(t, os.WriteFile(e.path("broken.toml"), []byte("[acme\n"), 0o600))
	e.fail(cli.ExitUsage, "broken.toml:1: ", "config", "show", "--config", "broken.toml")
}

// TestOutputThatIsLostIsAFailure checks help, doctor and other commands with a full output device.
func TestOutputThatIsLostIsAFailure(t *testing.T) {
	t.Parallel()
	e := newEnvironment(t)
	full := testrun.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	defer full.Close()
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "names"}, {"mount", "--help"}, {"doctor"}, {"doctor", "--json"}, {"config", "show"}, {"--version"}} {
		cmd := programtest.Command(t, testrun.Patience(), e.program, args...)
		said := newOutput()
		cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = e.vars, e.home, full, said
		require.Error(t, cmd.Run(), args)
		require.Equal(t, cli.ExitFailure, cmd.ProcessState.ExitCode(), "%v: %s", args, said)
		require.Contains(t, said.String(), "no space left on device", args)
	}
}
