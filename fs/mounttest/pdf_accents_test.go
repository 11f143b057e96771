package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestWhyOfAPDFInTheOtherForm checks a name in which a person types é as one character, and macOS
// has written two.
func TestWhyOfAPDFInTheOtherForm(t *testing.T) {
	t.Parallel()
	m := newMount(t)
	m.drops(t)
	m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
	m.fails("cp \"$HOME/two.pdf\" papers/C/Ete\u0301.pdf")
	m.eventually(`test -n "$(ls .paperfs/failed)"`)
	for _, name := range []string{"Et\u00e9", "Ete\u0301"} {
		for _, path := range []string{name + ".pdf", name + ".paper/source.pdf"} {
			assert.Contains(t, m.sh(`"$PAPERFS" why "papers/C/`+path+`"`), "No room", path)
		}
	}
	m.proxy.Heal()
	m.sh("\"$PAPERFS\" retry papers/C/Et\u00e9.pdf; test -z \"$(ls .paperfs/failed)\"")
}
