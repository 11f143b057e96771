package control

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"paperfs/remote"
)

// chosen brings back entries by their numbers, or removes them for good. It does nothing if one of them is not kept.
func (o *Options) chosen(ctx context.Context, f found, asked Undo, u *Undone) {
	var entries, back []remote.Entry
	for _, number := range asked.Entries {
		i := slices.IndexFunc(f.all, func(e remote.Entry) bool { return e.Entry == number })
		if i < 0 {
			u.Left = append(u.Left, Kept{Entry: number, Reason: "the service keeps no such entry there, or not any more; so nothing was done"})
			continue
		}
		entries = append(entries, f.all[i])
	}
	if len(u.Left) > 0 {
		return
	}
	var away error // what ends an attempt, and makes others futile
	for _, e := range entries {
		if slices.ContainsFunc(append(u.Back, u.Purged...), func(k Kept) bool { return k.Entry == e.Entry }) {
			continue // it came back as the directory or category of another one
		}
		came, err := []remote.Entry{e}, away
		switch {
		case err != nil:
		case asked.Purge:
			err = o.purge(ctx, e)
		default:
			came, err = o.bringBack(ctx, e)
		}
		failed, is := errors.AsType[*remote.Error](err)
		switch {
		case err != nil:
			if e.Reason = err.Error(); is {
				e.Reason = cmp.Or(failed.Message, failed.Reason())
			}
			if is && failed.Kind != remote.Refused {
				away = err
			}
			u.Left = append(u.Left, withPaths([]remote.Entry{e}, nil)...)
		case asked.Purge:
			u.Purged = append(u.Purged, withPaths(came, nil)...)
		default:
			back = append(back, came...)
			u.Back = append(u.Back, withPaths(came, f.all)...)
		}
	}
	if len(back) > 0 {
		_ = o.Refresh(ctx, treeOf(back)) // without an answer, it shows later
	}
}

// bringBack restores an entry, and returns what came back: also the directories or categories that it was in.
func (o *Options) bringBack(ctx context.Context, e remote.Entry) ([]remote.Entry, error) {
	r, err := o.Keeper.Restore(ctx, e.Entry, "")
	if isAmbiguous(err) && o.gone(ctx, e) {
		r.Back, err = []remote.Entry{e}, nil
	}
	return r.Back, errors.Join(err, o.noteRestored(ctx, r.Back))
}

var errMayNotPurge = errors.New("this mount deletes nothing: mount without --no-delete, or with --allow-delete")

// purge removes an entry for good.
func (o *Options) purge(ctx context.Context, e remote.Entry) error {
	if !o.AllowDelete {
		return errMayNotPurge
	}
	err := o.Keeper.Purge(ctx, e.Entry)
	if isAmbiguous(err) && o.gone(ctx, e) {
		return nil
	}
	return err
}

// gone reports whether the service is known not to keep an entry any more.
func (o *Options) gone(ctx context.Context, e remote.Entry) bool {
	kept, err := o.Keeper.GetDeleted(ctx, remote.Place{}, time.Time{}, 0)
	return err == nil && !slices.ContainsFunc(kept, func(k remote.Entry) bool { return k.Entry == e.Entry })
}
