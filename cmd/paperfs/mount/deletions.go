package mount

// mayDelete reports whether rm and rmdir delete on the service: on the embedded one also without being told so, while
// it keeps what they delete.
func (a *account) mayDelete() bool {
	return a.config.AllowDelete || a.keepsDeleted && !a.config.NoDelete
}
