package document

import (
	"testing"

	"paperfs/remote/testrun"
)

// TestMain fails if a test leaves a goroutine behind.
func TestMain(m *testing.M) { testrun.Main(m) }
