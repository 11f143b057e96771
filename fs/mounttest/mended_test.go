package mounttest

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"paperfs/remote"
)

// TestWhyIsNotEndedByAStep checks that a step of an operation does not mark a failure in `why` as
// resolved: only the success of a whole operation does. Steps are a write, a close of an empty file,
// and a close after which another close publishes.
func TestWhyIsNotEndedByAStep(t *testing.T) {
	t.Parallel()
	for mode, flags := range map[string][]string{"direct": nil, "write-back": {"--write-back"}} {
		t.Run(mode, func(t *testing.T) {
			m := newMount(t, flags...)
			m.sh(`ls media; mkdir papers/A.paper`)
			m.refuse(remote.UploadFile, `<result><code>ERROR</code><message>No room.</message></result>`)
			m.refuse(remote.ProcessPDF, `<result><code>ERROR</code><message>No room.</message></result>`)
			for _, path := range []string{"media/f", "papers/A.paper/source.pdf"} {
				m.sh(`echo %PDF > ` + path + ` || true`)
				m.eventually(`"$PAPERFS" why ` + path + ` | grep "No room"`)
				m.sh(`exec 3> ` + path + `; echo half >&3; "$PAPERFS" why ` + path + ` > ../why; exec 3>&- || true`)
				assert.NotContains(t, m.sh(`cat ../why`), "succeeded", path)
				m.sh(`: > ` + path + `; "$PAPERFS" wait . > /dev/null 2>&1 || true`)
				assert.NotContains(t, m.sh(`"$PAPERFS" why `+path), "succeeded", path)
			}
			m.proxy.Heal()
			m.sh(`echo b > media/f`)
			m.eventually(`"$PAPERFS" why media/f | grep "a later operation on it succeeded"`)
		})
	}
}
