// Package admin makes the changes that no operation of the service makes: tenants and their
// quotas, accounts, the maintenance window, imports, backups and checks of the data ([Admin]).
// The command `paperfs admin` is its user interface.
//
// # Invariants
//
//   - It works while another process serves the data directory. That process sees each
//     change at once: every change is a change of the store.
//   - It rejects what a start of the service rejects, except missing content: whatever needs
//     no content still works.
//   - A check without Fix and a backup change nothing in the data.
//
// # Locks
//
// An Admin has no locks of its own. A backup holds the lock of its target directory. Code that
// waits for a change of the store must not run inside one.
package admin
