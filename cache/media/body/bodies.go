package body

import (
	"paperfs/cache/content/contentcache"
	"paperfs/cache/content/disk"
	"paperfs/cache/content/failed"
	"paperfs/cache/content/reading"
	"paperfs/cache/content/spool"
	"paperfs/cache/content/tree"
	"paperfs/cache/media/names"
	"paperfs/cache/media/option"
	"paperfs/cache/media/reconcile"
)

// Bodies are the contents of files on this machine.
type Bodies struct {
	o          *option.Options
	names      *names.Tree
	reconciler *reconcile.Reconciler
	Spools     spool.Dir
	Contents   *contentcache.Cache
	Reads      *reading.Pool
	Failures   failed.Store
	Room       disk.Room
	Sound      *disk.Soundness
}

// New returns the contents of the files of names.
func New(o *option.Options, names *names.Tree, reconciler *reconcile.Reconciler, sound *disk.Soundness) (*Bodies, error) {
	b := &Bodies{o: o, names: names, reconciler: reconciler, Sound: sound}
	b.Room = disk.Room{Disk: disk.Disk{Dir: o.State.Dir("spool"), Reserve: o.Reserve, Free: o.Free}, Quota: o.Quota}
	b.Spools.Path, b.Spools.Room, b.Spools.Sound, b.Spools.Synced = b.Room.Dir, &b.Room, sound, o.WriteBack
	b.Failures = failed.Store{DB: o.State.DB(), Dir: o.State.Dir("failed"), Room: &b.Room, Now: o.Now, Sync: b.Spools.SyncDir, Written: names.WaitWritten, Temporary: names.Temporary, Log: o.Log}
	names.Drop = func(n *tree.Node) { _ = b.DropOrphan(n) } // an error is handled there
	cache := disk.Disk{Dir: o.State.CacheDir("media"), Reserve: o.Reserve, Free: o.Free}
	var err error
	if b.Contents, err = contentcache.New(cache, o.CacheSize, o.PinnedPDFs); err != nil {
		return nil, err
	}
	b.Reads = reading.NewPool(o.Service, b.Contents.Keeper())
	if disk.Same(cache.Dir, b.Room.Dir) {
		b.Room.Caches = append(b.Room.Caches, evictable{b.Contents, b.Reads})
	}
	b.Room.Caches = append(b.Room.Caches, o.Kept...)
	return b, b.Failures.Load()
}
