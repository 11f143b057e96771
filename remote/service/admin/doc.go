// Package admin changes what no operation of the service changes: tenants and
// their quotas, accounts, the maintenance window, imports, backups and checks of
// the data ([Admin]). The command `paperfs admin` is its skin.
//
// # Invariants
//
//   - It works beside the process that serves the data directory, which sees
//     each change at once: all it changes is a change of the store.
//
//   - What a start of the service refuses, it refuses, but for content that is
//     away: what needs no content goes on.
//
//   - A check without Fix and a backup change nothing of the data.
//
// # Locks
//
// An Admin has none of its own. A backup holds the lock of the directory that it
// writes to. What waits for the store's changes must not wait inside one.
package admin
