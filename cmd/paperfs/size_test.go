package main

import (
	"debug/buildinfo"
	"debug/elf"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"paperfs/remote/testrun"
)

// mostBytes is the most that the stripped program has. What is linked with it is in every package and container.
// Four megabytes are the fonts for text in fonts that a PDF does not embed.
const mostBytes = 47_600_000

// TestTheProgramIsNoLargerThanItsBudget checks the size of the stripped program, which is what the kernel loads of it. Whoever calls
// methods by names that only run time knows, as text/template does, keeps all methods of all types: 6.9 MB more. A build says who it is:
// go build -ldflags=-dumpdep ./cmd/paperfs 2>&1 | grep '<ReflectMethod>'
func TestTheProgramIsNoLargerThanItsBudget(t *testing.T) {
	testrun.Long(t, "builds a program")
	t.Parallel()
	file := testrun.Must(elf.Open(built(t)))(t)
	defer file.Close()
	symbols := testrun.Must(file.Symbols())(t)
	for _, s := range symbols {
		require.NotEqual(t, "text/template.(*state).evalField", s.Name, "something executes templates")
	}
	var bytes uint64
	for _, part := range file.Progs {
		if part.Type == elf.PT_LOAD {
			bytes += part.Filesz
		}
	}
	most := uint64(mostBytes)
	if info := testrun.Must(buildinfo.ReadFile(built(t)))(t); !slices.Contains(info.Settings, debug.BuildSetting{Key: "-trimpath", Value: "true"}) {
		most += 1_000_000 // the paths of this checkout, which no package has: some kilobytes for each letter
	}
	t.Logf("%d bytes", bytes)
	require.LessOrEqual(t, bytes, most)
}
