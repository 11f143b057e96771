package mount

import (
	"context"

	gofs "github.com/hanwen/go-fuse/v2/fs"

	"paperfs/fs"
	"paperfs/fs/control"
)

func (a *account) mountOptions(direct bool) fs.Options {
	c := a.config
	return fs.Options{
		Mountpoint: a.dir, Source: a.url, Catalogue: a.catalogue, Documents: a.documents, Media: a.media,
		Failures: a.failures, Since: a.since, Owner: a.settings.Owner, Zone: a.settings.Zone,
		Offers: a.client.Offers, WriteBack: c.WriteBack, AllowDelete: a.mayDelete(), ReadOnly: c.ReadOnly, AllowOther: c.AllowOther, Xattrs: c.XAttrs, Direct: direct, Kernel: c.KernelOptions,
		Log: a.settings.Log, Mounted: a.guardConnection,
		Control: func(h fs.Hooks) gofs.InodeEmbedder {
			a.hooks = h
			return control.NewRoot(control.Options{
				Env: h.Env, Since: h.Since, Mountpoint: a.dir, Status: a.status, Events: a.events, Failures: a.failures, Media: a.media,
				Stat:    func(_ context.Context, path string) (any, error) { return h.Stat(path) },
				Refresh: h.Refresh, Keeper: a.client, SignIn: a.client.CreateSignInLink, Restored: a.documents.Restored, NodeAt: h.NodeAt,
				AllowDelete: a.mayDelete(), ReadOnly: c.ReadOnly,
			})
		},
	}
}
