package main

// localPeer is the local disk.
var localPeer = peer{name: "local", open: func(_ *rig, o setup) (*place, error) {
	return &place{dir: o.served, store: diskStore(o.served)}, nil
}}
