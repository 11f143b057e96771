package media_test

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hanwen/go-fuse/v2/posixtest"
)

// skippedScratch has the tests of go-fuse's suite that a scratch directory need not pass, with the
// reason.
var skippedScratch = map[string]string{
	"FcntlFlockLocksFile": "its two descriptors belong to one process, whose locks never conflict (the suite skips it, too)",
	"XAttr":               "the mount of these tests has no extended attributes",
	"XAttrLarge":          "the mount of these tests has no extended attributes",
}

// skippedMedia has those that media/ itself need not pass.
var skippedMedia = map[string]string{
	"FcntlFlockLocksFile": "its two descriptors belong to one process, whose locks never conflict (the suite skips it, too)",
	"Link":                "the service has no links",
	"LinkUnlinkRename":    "the service has no links",
	"SymlinkReadlink":     "the service has no links",
	"SetattrSymlink":      "the service has no links",
	"OpenSymlinkRace":     "the service has no links",
	"XAttr":               "the mount of these tests has no extended attributes",
	"XAttrLarge":          "the mount of these tests has no extended attributes",
}

// TestPosix runs go-fuse's suite in directories of two mounts.
func TestPosix(t *testing.T) {
	scratch, published := newMount(t), newMount(t, deleting)
	scratch.sh(`mkdir .scratch`)
	scratch.proxy.Reset()
	for _, name := range slices.Sorted(maps.Keys(posixtest.All)) {
		t.Run("scratch/"+name, func(t *testing.T) {
			if reason := skippedScratch[name]; reason != "" {
				t.Skip(reason)
			}
			scratch.in(t).sh(`mkdir .scratch/` + name)
			posixtest.All[name](t, filepath.Join(scratch.dir, ".scratch", name))
			if n := scratch.proxy.Count(nil); n != 0 {
				t.Errorf("scratch caused %d requests", n)
			}
		})
		t.Run("media/"+name, func(t *testing.T) {
			if reason := skippedMedia[name]; reason != "" {
				t.Skip(reason)
			}
			published.in(t).sh(`mkdir ` + name)
			posixtest.All[name](t, filepath.Join(published.dir, name))
		})
	}
}
