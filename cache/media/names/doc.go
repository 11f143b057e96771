// Package names has the inodes of media/, and of the PDFs of papers/, with their names, in memory: a Tree. It decides nothing
// and asks nobody. Each of its changes leaves names, index, queue and rows consistent:
//
//   - node: finding, adding and removing a name; remove: the same for a program here
//   - detach: a name that gets another inode, because it holds content of others now; sidecar: what goes with it
//   - service: what the service is known to have, by its ids
//   - twin: the hidden directories for the PDFs of papers/
//   - queue: what waits to be sent
//   - unsure: uploads that are under way, or whose outcome nobody knows
//   - rows: what is to be written to the database, in one transaction
//   - changed: what the kernel is to be told
//   - lock, state, stat: which name is locked, and what is asked of an inode
//
// Mu guards all of it. A method whose name ends in Locked needs Mu.
package names
