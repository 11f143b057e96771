package mount

import "errors"

// ErrDetached: the mount was taken out of the tree while something held it.
var ErrDetached = errors.New("detached while the mount was in use: files that were open there are cut off")

// errInterrupted: a signal came while the mount was being made.
var errInterrupted = errors.New("interrupted before anything was mounted")
