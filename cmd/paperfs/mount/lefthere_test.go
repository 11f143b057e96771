package mount

import (
	"bytes"
	"fmt"
	"testing"

	"paperfs/fs/control"

	"github.com/stretchr/testify/require"
)

func TestTheEndNamesNoMoreThanFits(t *testing.T) {
	var names []control.Local
	for i := range 12 {
		names = append(names, control.Local{Place: fmt.Sprintf("media/%d.part", i), Size: 1, Kept: "/spool"})
	}
	var said bytes.Buffer
	sayLeft(&said, names)
	require.Contains(t, said.String(), "media/9.part")
	require.NotContains(t, said.String(), "media/10.part")
	require.Contains(t, said.String(), "\n  and 2 more\n")
}
