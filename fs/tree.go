package fs

import (
	"context"
	"syscall"
	"time"

	"paperfs/cache/document"
	"paperfs/fs/inode"
	mediafs "paperfs/fs/media"
	"paperfs/fs/papers"
	"paperfs/fs/virtual"
)

// newRoot builds the tree.
func newRoot(o Options, env *virtual.Env, media *mediafs.Root) *root {
	since := func() time.Time { return o.Since }
	tree := papers.NewTree(papers.Options{Env: env, Catalogue: o.Catalogue, Documents: o.Documents, Media: o.Media, Files: media.Files(), AllowDelete: o.AllowDelete, Offers: o.Offers, Started: since})
	startNotices := func() {
		o.Catalogue.OnChange(tree.Invalidate)
		media.Watch()
	}
	r := &root{Dir: virtual.Dir{Env: env, About: virtual.About{Time: since}}, media: media, startNotices: startNotices}
	r.Source = r
	descriptions := &virtual.Document{Env: env, About: virtual.About{Time: since}, Load: o.Documents.SettingDescriptions,
		Known: func() (int, bool) {
			data, ok := o.Documents.Known(document.DocSettingDescriptions, 0, "")
			return len(data), ok
		}}
	papersRoot, papersNumber := tree.Root()
	r.children = []rootChild{
		{"README.txt", virtual.Text(env, since, readme(o)), syscall.S_IFREG, 0},
		{"setting-descriptions.xml", descriptions, syscall.S_IFREG, 0},
		{"papers", papersRoot, syscall.S_IFDIR, papersNumber},
		{"media", media, syscall.S_IFDIR, inode.Media(1)},
		{"by-id", tree.ByID(), syscall.S_IFDIR, 0},
		{"by-url", tree.ByURL(), syscall.S_IFDIR, 0},
		{"jobs", tree.Jobs(), syscall.S_IFDIR, 0},
	}
	if o.Control != nil {
		hooks := Hooks{Env: env, Stat: r.stat, Refresh: func(ctx context.Context, path string) error { return o.refresh(ctx, r, tree, path) }, Since: since, PathOf: tree.PathOf, NodeAt: tree.NodeAt, JobEnded: tree.JobEnded}
		r.children = append(r.children, rootChild{".paperfs", o.Control(hooks), syscall.S_IFDIR, 0})
	}
	return r
}
