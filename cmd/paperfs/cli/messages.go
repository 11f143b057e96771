package cli

import (
	"fmt"
	"io"
	"os"
)

// Messages writes messages to standard error as a LogWriter does.
var Messages = NewLogWriter(os.Stderr, func(to io.Writer, texts int) {
	fmt.Fprintf(to, "paperfs: %d messages were dropped, because nothing read them\n", texts)
})
