package logwriter

import (
	"fmt"
	"io"
	"os"
)

// Stderr writes messages to standard error as a Writer does.
var Stderr = New(os.Stderr, func(to io.Writer, texts int) {
	fmt.Fprintf(to, "paperfs: %d messages were dropped, because nothing read them\n", texts)
})
