package mounttest

import (
	"path/filepath"
	"testing"

	"paperfs/remote/service/kit/servicetest"
	"paperfs/remote/testrun"
)

// TestNewPDFsFromAfterTheRestoredBackup checks that papers which were made by a PDF after a backup that is restored come back by
// paperfs retry: their PDFs are set aside with the category and the name that they had.
func TestNewPDFsFromAfterTheRestoredBackup(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"there", "away", "read before the news"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMount(t)
			servicetest.In(t, m.service.Data).Embedded(t, "the backups of nodes are those of PostgreSQL")
			m.told()
			m.put("one.pdf", pdfOf(t, 1, 0))
			m.sh(`mkdir papers/C`)
			backup := filepath.Join(t.TempDir(), "backup")
			testrun.Must(m.service.Admin().Backup(t.Context(), backup, nil))(t)
			m.sh(`for p in X Y Z; do cp "$HOME/one.pdf" papers/C/$p.pdf; echo $p >> "$HOME/one.pdf"; "$PAPERFS" wait papers/C/$p.paper; done`)
			if name == "away" {
				m.stop()
			}
			m.service.Stop()
			m.service = servicetest.StartIn(t, backup)
			m.proxy.To(m.service.URL)
			switch name {
			case "away":
				m.start()
			case "read before the news":
				m.sh(`"$PAPERFS" refresh papers`)
			}
			m.eventually(`test "$(ls .paperfs/failed | wc -l)" = 3 && test ! -e papers/C/X.paper`)
			m.sh(`set -e; "$PAPERFS" retry .paperfs/failed; test -z "$(ls .paperfs/failed)"
				for p in X Y Z; do "$PAPERFS" wait papers/C/$p.paper; test -e papers/C/$p.paper/pages/001; done`)
		})
	}
}
