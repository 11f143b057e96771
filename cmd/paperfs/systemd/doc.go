// Package systemd writes to the service manager ([Notify]) and its journal ([OpenJournal],
// [WithLevels]), if there are any. Without a manager, Notify does nothing. The package has no state.
package systemd
