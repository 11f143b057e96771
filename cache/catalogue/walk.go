package catalogue

import "paperfs/remote"

// Walk calls fn for the node and its descendants, parents first and children in order,
// until fn returns false.
func (s *Snapshot) Walk(id int64, fn func(remote.Node) bool) {
	if it, ok := s.item(id); ok {
		s.walk(it, s.address(it), func(it item, address string) bool { return fn(it.node(address)) })
	}
}

func (s *Snapshot) walk(it item, address string, fn func(item, string) bool) bool {
	if !fn(it, address) {
		return false
	}
	goOn := true
	if it.kind == remote.CategoryNode {
		s.eachChild(it.id, func(child item) bool {
			goOn = s.walk(child, addressOf(child, address), fn)
			return goOn
		})
	}
	return goOn
}

// eachItem calls fn for every node in document order.
func (s *Snapshot) eachItem(fn func(item) error) error {
	if len(s.overlay.items) == 0 {
		for node := range int32(s.base.len()) {
			if err := fn(s.base.item(node)); err != nil {
				return err
			}
		}
		return nil
	}
	root, _ := s.item(s.base.id(0))
	var err error
	s.walk(root, "", func(it item, _ string) bool {
		err = fn(it)
		return err == nil
	})
	return err
}
