package testrun

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"
)

// TestAGoroutineThatIsLeftIsFound checks that one that waits for ever is named, and none that ends.
func TestAGoroutineThatIsLeftIsFound(t *testing.T) {
	others := goleak.IgnoreCurrent()
	wait := make(chan struct{})
	go func() { <-wait }()
	assert.ErrorContains(t, goleak.Find(others), "TestAGoroutineThatIsLeftIsFound")
	close(wait)
	assert.NoError(t, leaked())
}
