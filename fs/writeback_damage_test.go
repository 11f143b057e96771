package fs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDamagedQueuedContentIsNotPublished checks queued content whose bytes changed, but not its
// length: it goes to failed/ with the reason, and nothing of it reaches the service.
func TestDamagedQueuedContentIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, size := range []int{10 << 10, 3 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			m := newMount(t, "--write-back")
			m.sh(`ls media`)
			m.proxy.Down()
			m.sh(fmt.Sprintf(`head -c %d /dev/urandom > media/a; echo damage | dd of="$(ls "%s"/*-* | tail -1)" bs=1 seek=5000 conv=notrunc status=none`, size, m.spool()))
			m.proxy.Up()
			m.sh(`"$PAPERFS" retry . || :; "$PAPERFS" wait . || :`) // wait fails only if the upload fails after it began
			assert.Empty(t, m.atService())
			m.sh(`test -e .paperfs/failed/a && ! test -e media/a`)
			assert.Contains(t, m.sh(`"$PAPERFS" why media/a`), "not what was written")
		})
	}
}
