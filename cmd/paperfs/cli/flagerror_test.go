package cli

import (
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func TestFlagError(t *testing.T) {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.Int("preview", 0, "")
	f.Uint64("inode", 0, "")
	f.Duration("tree-ttl", time.Minute, "")
	f.Bool("daemon", false, "")
	for arg, words := range map[string]string{
		"--preview=x":   `--preview "x": give a whole number`,
		"--inode=-1":    `--inode "-1": give a whole number from 0 up`,
		"--tree-ttl=5":  `--tree-ttl "5": give a time with its unit, such as "90s" or "5m"`,
		"--daemon=auto": `--daemon "auto": give true or false`,
		"--nothing":     `unknown flag: --nothing`,
	} {
		require.EqualError(t, FlagError(f.Parse([]string{arg})), words)
	}
}
