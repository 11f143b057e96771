package testrun

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Main runs the tests of a package that starts goroutines, and ends the process. The package fails if
// one of them is still there when all tests have ended what they started, or if a further check does.
func Main(m *testing.M, checks ...func() error) {
	code := m.Run()
	if flag.Lookup("test.fuzz").Value.String() != "" { // fuzzing has goroutines and processes of its own
		os.Exit(code)
	}
	for _, check := range append(checks, leaked) {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// leaked returns an error with the goroutines that do not end.
func leaked() (err error) {
	for deadline := time.Now().Add(Patience()); ; {
		if err = goleak.Find(); err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the tests have left goroutines behind: %w", err)
		}
	}
}
