package media_test

import (
	"io"
	"strings"
)

// bytesContent is content to upload behind the mount's back.
type bytesContent string

func (b bytesContent) Size() int64 { return int64(len(b)) }

func (b bytesContent) Open() (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(string(b))), nil
}
