package servicetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"paperfs/remote/service/kit/pdftest"
	"paperfs/remote/service/pdf"
)

// PDFCache returns a directory for compiled code that all tests of a user share. It has the code for the service in a test's own process.
func PDFCache() string {
	compileOwn()
	return pdftest.Cache()
}

// PDFCacheOf is PDFCache for the service in a built program.
func PDFCacheOf(program string) string {
	compile([]string{program, pdf.WorkerArgument})
	return pdftest.Cache()
}

var compileOwn = sync.OnceFunc(func() { compile(pdftest.Command()) })

// compile has a worker compile PDFium for all tests of a user. On a new machine, the first tests that process a PDF would each do it, which
// takes longer than a test waits where many run beside each other. If compile cannot, they do it.
func compile(command []string) {
	cache := pdftest.Cache()
	if os.MkdirAll(cache, 0o700) != nil {
		return
	}
	dir, err := os.Open(cache)
	if err != nil {
		return
	}
	defer dir.Close() // unlocks it
	if unix.Flock(int(dir.Fd()), unix.LOCK_EX) != nil || hasCode(cache, command) {
		return
	}
	noPDF, err := os.CreateTemp("", "no-pdf-")
	if err != nil {
		return
	}
	defer os.Remove(noPDF.Name())
	defer noPDF.Close()
	worker := pdf.Processor{Cache: cache, Command: command}
	_ = worker.Process(context.Background(), pdf.Job{}, noPDF, nil) // it starts PDFium before it sees that the file is empty
}

// hasCode returns whether a worker of this kind has left compiled code in the cache. The runtime of WebAssembly knows its version in a built
// program, and calls itself "dev" in a test's.
func hasCode(cache string, command []string) bool {
	version := "v"
	if command == nil {
		version = "dev"
	}
	found, err := filepath.Glob(filepath.Join(cache, "wazero-"+version+"*", "*"))
	return err == nil && len(found) > 0
}
