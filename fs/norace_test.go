//go:build !race

package fs_test

var buildFlags []string
