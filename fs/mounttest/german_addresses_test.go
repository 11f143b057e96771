package mounttest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
