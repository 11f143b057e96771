package service

import (
	"strconv"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service/address"
	"paperfs/remote/service/fault"
	"paperfs/remote/service/store"
)

// nodeAs restores a paper or category. at is its address if that is not the one it had.
func (r *restoring) nodeAs(k store.Kept, name string) (version int64, at string, err error) {
	n := store.Node{ID: k.File.ID, Tenant: r.tenant.ID, Kind: k.Node, Name: name}
	if n.Parent, err = r.parentNode(k.Dir); err != nil {
		return 0, "", err
	}
	up, err := r.tx.Ancestors(n.Parent)
	if err != nil {
		return 0, "", err
	}
	if n.Kind == remote.PaperNode {
		err = r.paperRoom(r.tx)
	} else {
		err = shallow(up, 1)
	}
	if err != nil {
		return 0, "", err
	}
	if n.URLName, err = r.freeAddress(up, k.URLName); err != nil {
		return 0, "", err
	}
	if n.URLName != k.URLName {
		at = address.Path(r.tenant, up) + n.URLName + "/"
	}
	version, err = r.tx.ReturnNode(n)
	return version, at, err
}

// parentNode returns the category for what was in a category: that one, which comes back if it is kept,
// or the root.
func (r *restoring) parentNode(id int64) (int64, error) {
	n, err := r.tx.Node(r.tenant.ID, id)
	if err == nil && n.Kind == remote.CategoryNode {
		return id, nil
	}
	if err := store.IgnoreNotFound(err); err != nil {
		return 0, err
	}
	k, kept := r.places.gone[store.KeptNode][id]
	if !kept {
		return r.tenant.Root, nil
	}
	return id, r.entryAs(k, k.Name)
}

// mostAddresses is how many addresses are tried for what comes back.
const mostAddresses = 1000

// freeAddress returns the last segment of an address in a category: NAME, or NAME-2 and so on, where that
// is taken or the service's own.
func (r *restoring) freeAddress(up []store.Node, name string) (string, error) {
	for try, number := name, 2; number < mostAddresses; number++ {
		err := r.mayBeBelow(up, try)
		if err == nil {
			_, err = r.tx.Child(up[0].ID, try)
			if store.IsNotFound(err) {
				return try, nil
			}
			if err != nil {
				return "", err
			}
		}
		suffix := "-" + strconv.Itoa(number)
		try = name[:min(len(name), rules.MaxSegment-len(suffix))] + suffix
	}
	return "", fault.Invalid("The address %s and those like it are taken.", name)
}
