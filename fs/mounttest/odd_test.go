package mounttest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/testrun"
)

// oddMount mounts a service whose trees have records of all odd forms between two good ones.
func oddMount(t *testing.T) *mounted {
	m := newMount(t)
	id, _ := testrun.Must2(m.client().GetPaperIDFromUrl(t.Context(), "/"))(t)
	m.forgetState()
	m.refuse(remote.GetAllPapers, fmt.Sprintf(`<result><code>SUCCESS</code><data><category id="%d" name="" url="/">
<paper id="901" name="first" url="/first/"/>
<paper id="902" name="other date" url="/b/" publicationperiod-from="1.2.2026" publicationperiod-to="3.4.2026"/>
<paper id="903" name="half" url="/c/" publicationperiod-from="2026-03-01"/>
<paper id="904" name="nowhere" url=""/>
<category id="905" name="absolute" url="https://x.example/absolute/"><paper id="906" name="in it" url="/absolute/in"/></category>
<paper id="0" name="zero" url="/d/"/>
<category id="901" name="twin" url="/e/"><paper id="907" name="gone" url="/e/f/"/></category>
<paper id="908" name="bell&#7;" url="/g/"/>
<paper id="909" name="x&#10;state:  failed&#x202e;&#x9b;2J" url="/h/"/>
<paper id="910" name="last" url="/last/"/></category></data></result>`, id))
	m.refuse(remote.GetTree, `<result><code>SUCCESS</code><data><file fileid="1" name="first" size="1"/><file fileid="2" name="words" size="12 KB"/>
<file fileid="3" name="none"/><file fileid="4" size="1"/><file fileid="0" name="zero" size="1"/><file fileid="1" name="twin" size="1"/>
<directory directoryid="0" name="d"><file fileid="5" name="e" size="1"/></directory><file fileid="6" name="last" size="1"/></data></result>`)
	m.start()
	return m
}

func TestOddRecordsHideNoOthers(t *testing.T) {
	t.Parallel()
	m := oddMount(t)
	assert.Equal(t, "absolute bell\uFFFD.paper first.paper half.paper last.paper nowhere.paper other date.paper", m.sh(`cd papers; echo [a-w]*`))
	assert.Equal(t, "in it.paper", m.sh(`ls papers/absolute`))
	assert.Equal(t, "/absolute/in/", m.sh(`cat "papers/absolute/in it.paper/url"`))
	assert.Equal(t, "/last/", m.sh(`cat papers/nowhere.paper/url papers/last.paper/url; cat papers/half.paper/publication "papers/other date.paper/publication" | tr -d '\n'`))
	assert.Equal(t, "first last none words", m.sh(`cd media; echo *`))
	assert.Equal(t, "12288 0", m.sh(`stat -c %s media/words media/none | tr '\n' ' '`)[:7])

	count := `grep -c "refresh papers EIO" .paperfs/errors; grep -c "refresh media EIO" .paperfs/errors`
	assert.Equal(t, "8\n6", m.sh(count))
	m.sh(`"$PAPERFS" refresh . && "$PAPERFS" refresh media`)
	assert.Equal(t, "8\n6", m.sh(count), "a lasting failure is reported only once")
}

// TestNamesSteerNoTerminal checks that a name in a command's output cannot control the terminal or add
// a line.
func TestNamesSteerNoTerminal(t *testing.T) {
	t.Parallel()
	m := oddMount(t)
	shown := m.sh(`set +e; for p in papers/x*; do "$PAPERFS" stat "$p"; "$PAPERFS" stat --json "$p"; "$PAPERFS" why "$p"; "$PAPERFS" stat "$p/none" 2>&1; mv "$p" papers/y 2>/dev/null; "$PAPERFS" why "$p"; done
"$PAPERFS" status .; cat .paperfs/errors`)
	assert.Contains(t, shown, `/papers/x\x0astate:  failed\u202e\u009b2J.paper`)
	for _, r := range shown {
		assert.True(t, r == '\n' || r >= ' ' && r < 0x7f || r > 0x9f && r != 0x202e, "the output contains %q", r)
	}
	assert.NotContains(t, shown, "\nstate:  failed")
}

// TestGermanAddresses checks that ä is ae in the address where the language is German, that only a name for which that matters
// asks for the language, and that an address stays as it was made.
func TestGermanAddresses(t *testing.T) {
	t.Parallel()
	m := newPublisher(t, "--document-ttl", "1h")
	garden := `'papers/Garden tools/`
	m.sh(`ls papers`)
	require.Equal(t, []string{"CreatePaper"}, m.cost(`mkdir `+garden+`Rechen.paper'`))
	require.Equal(t, []string{"GetSettingDescriptions", "GetSetting", "CreateCategory"}, m.cost(`mkdir `+garden+`Größe & Höhe'`))
	m.sh(`mkdir ` + garden + `Größe & Höhe/Übersicht.paper'`)
	require.Equal(t, "/garden/groesse-und-hoehe/uebersicht/", m.sh(`cat `+garden+`Größe & Höhe/Übersicht.paper/url'`))
	require.Equal(t, []string{"CreatePaper"}, m.cost(`mkdir `+garden+`Äpfel.paper'`))
	require.Equal(t, "/garden/aepfel/", m.sh(`cat `+garden+`Äpfel.paper/url'`))
	m.sh(`mkdir papers/Äpfel.paper`)
	require.Equal(t, "/apfel/", m.sh(`cat papers/Äpfel.paper/url`), "the language there is English")
}

// TestASearchForASlash checks that a query can have a slash, which no name has, and a percent sign.
func TestASearchForASlash(t *testing.T) {
	m := newMount(t)
	pdf := filepath.Join(m.home, "slash.pdf")
	require.NoError(t, os.WriteFile(pdf, pdftest.Text("rakes and/or spades at 50% off"), 0o600))
	m.sh(`mkdir papers/X.paper && cp "` + pdf + `" papers/X.paper/source.pdf && "$PAPERFS" wait papers/X.paper`)
	for _, query := range []string{"and%2For", "and%2for", "50%", "50%25"} {
		require.Contains(t, m.sh(`ls papers/.search/content/`+query), "001 X.paper\n", query)
		require.Contains(t, m.sh(`ls papers/.search/pages/`+query), "001 X.paper p001\n", query)
	}
	require.Empty(t, m.sh(`ls papers/.search/content/and%252For`))
}
