package main

// localPeer is this disk without anything between.
var localPeer = peer{name: "local", open: func(_ *rig, o setup) (*place, error) {
	return &place{dir: o.served, store: diskStore(o.served)}, nil
}}
