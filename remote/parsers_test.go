package remote

import (
	"encoding/base64"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/service/form"
	"paperfs/remote/testrun"
)

// parsers read a form from standard input and print the value of its field base64File. .NET is not
// run; its source shows the same: HttpValueCollection.FillFromEncodedBytes ends a name at the first
// = and a value at the next &, as does FormReader of ASP.NET Core, and both decode only + and % in
// the rest.
var parsers = map[string][]string{
	"Python": {"python3", "-c", `import sys, urllib.parse
print(urllib.parse.parse_qs(sys.stdin.read(), keep_blank_values=True, strict_parsing=True)["base64File"][0], end="")`},
	"PHP":  {"php", "-r", `parse_str(stream_get_contents(STDIN), $form); echo $form["base64File"];`},
	"Perl": {"perl", "-0777", "-ne", `for (split /&/) { my ($n, $v) = split /=/, $_, 2; $v =~ tr/+/ /; $v =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge; print $v if $n eq "base64File" }`},
}

// TestFormParsers checks that parsers that follow the URL standard read the same content from both
// escapings.
func TestFormParsers(t *testing.T) {
	t.Parallel()
	for name, words := range parsers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if exec.Command(words[0], "--version").Run() != nil { // some exist only as a stub
				testrun.Missing(t, words[0])
			}
			checkParser(t, func(body string) string {
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Stdin = strings.NewReader(body)
				return string(testrun.Must(cmd.Output())(t))
			})
		})
	}
	t.Run("net/url", func(t *testing.T) {
		checkParser(t, func(body string) string {
			return testrun.Must(url.ParseQuery(body))(t).Get("base64File")
		})
	})
	t.Run("the embedded service", func(t *testing.T) {
		checkParser(t, func(body string) string {
			var got strings.Builder
			f := testrun.Must(form.Decode(strings.NewReader(body), form.Options{Bulk: "base64File", Open: func(*form.Form) (io.Writer, error) { return &got, nil }}))(t)
			testrun.Must(f.Bulk())(t)
			return base64.StdEncoding.EncodeToString([]byte(got.String()))
		})
	})
}

func checkParser(t *testing.T, value func(body string) string) {
	for _, data := range []string{"", "\xff", "\xfb\xef", "\xfb\xef\xbe\xff\xff\xff\xff", string(noise(blockSize))} {
		for _, e := range []escaping{plusAlone, allThree} {
			body := "username=u&base64File=" + string(new(block).appendBase64(nil, []byte(data), e)) + "&name=a%20b"
			require.Equal(t, base64.StdEncoding.EncodeToString([]byte(data)), value(body))
		}
	}
}
