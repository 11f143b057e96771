package notify

// Bell wakes the one goroutine that waits for it. What rings before that goroutine listens again wakes it once.
type Bell chan struct{}

// NewBell returns a bell that has not rung.
func NewBell() Bell { return make(Bell, 1) }

// Ring wakes, and does not wait. Nobody listens to a nil Bell.
func (b Bell) Ring() {
	select {
	case b <- struct{}{}:
	default:
	}
}
