package papers

// PathOf returns the path of a category or paper from the mount's root.
func (t *Tree) PathOf(id int64) string { return t.shownDir(id) }

// shownDir returns the path of a category, a paper or a tempDir.
func (t *Tree) shownDir(id int64) string {
	if d := t.temps.byNumber(id); d != nil {
		return t.shownDir(d.at.Dir) + "/" + d.at.Name
	}
	return t.Path(id)
}
