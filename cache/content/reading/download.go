package reading

// Download is content of which requests bring more, or would if its reader read on.
type Download struct {
	Version Version
	Here    int64 // bytes that are on this machine
	Size    int64 // -1: not known yet
}

// Downloads returns what is being downloaded, in no order.
func (p *Pool) Downloads() (list []Download) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.sources {
		if s.version.Place == nil || s.stream == nil && len(s.singles) == 0 {
			continue
		}
		here := int64(len(s.blocks)) * blockSize
		if s.size >= 0 {
			here = min(here, s.size)
		}
		list = append(list, Download{s.version, here, s.size})
	}
	return list
}
