// Package media implements the media store: everything the mount shows under media/, including
// what is being written and what never leaves this machine. It also keeps the drafts of PDFs
// under papers/.
//
// The service accepts only whole files and offers at most listings. This package keeps the rest
// locally: inode numbers, exact sizes, SHA-256 digests, modes and times in the account's
// database; content that is not at the service yet in the spool; published content in a cache
// keyed by SHA-256; and content that could not be published in failed/. All lookups are
// answered from a tree in memory. GetTree fills that tree and later answers are reconciled with
// it. If the service does not offer GetTree, the database is the only source of the tree.
//
// The main types are Store (the store of one account), Handle (an open file), and, in the
// packages below, tree.Node (a file or directory in memory), tree.Body (the local content of a
// file), spool.File (one local copy of content) and draft.Draft (a paper's PDF).
//
// # Packages
//
// Store implements the operations of the mount. The packages below do not import this one, and
// each has one job:
//
//	draft         a paper's PDF while it is being written or is queued
//	tree          nodes in memory: names, versions at the service, states, bodies
//	spool         files with content that the service does not have
//	contentcache  published content, cached for reading
//	failed        content that could not be published
//	journal       database rows, and the records that survive a kill
//	outbox        the queue: what is sent, in which order, and when it is retried
//	cause         classifies upload failures: permanent, temporary, affecting everything
//	progress      uploads in progress
//	namelock      serializes changes of one name at the service
//	waiter        callers that wait for a change of names, and may give up
//	inode         numbers, kinds, attributes, times, digests
//	refusal       errors that the store itself returns
//	localname     decides which names stay on this machine
//	disk          disk reserve, quota, and whether a sync has failed
//	lock          mutexes with ranks
//	flight        shares one GetTree among all callers that need its answer
//	plan          decides, from the tree alone, what a rename requires of the service
//	check         consistency checks between memory, rows and files
//	crash         points at which tests kill the process
//
// The files of this package are named after their subject. Calls between them run in one
// direction, except between sidecar and removed and between the two files of a reconciliation.
//
//	api               options, and aliases for types that callers use
//	open, recover     startup, shutdown, and what an earlier run left
//	create            new files, directories, links
//	rename*, remove*  changes of names; change: what they share, and their callers
//	handle*           open files: read, write, close
//	finalize          content after the last close: to the cache, failed/ or the queue
//	letgo             a new inode for a name whose content must not be published
//	retry, newdata    failed/: retrying an entry, and filling it when the service lost its data
//	queue*            the queue: enqueue, send, fail, cancel
//	publish*          publishing one file or directory: freeze, send, record the answer
//	upload            one upload to a name: note, send, verify
//	node              finds, creates, links and unlinks nodes
//	tree*             lookups; GetTree and its reconciliation with the tree
//	store             the Store, and how it marks nodes as changed
//	status            what the store reports; selfcheck: runs package check
//	sidecar           SQLite's sidecar files, which stay local and follow their database
//	pdfs              the drafts, for the rest of the mount
//
// # A file's content
//
// A write goes to the file's spool and raises its write generation. Flush publishes the newest
// generation if the handle has written since the last upload. An upload reads a frozen spool: a
// write during the upload goes to a copy. So does a write to queued content, which stays
// unchanged until a newer close replaces it. After the last release, a published spool becomes
// cached content, and a refused one moves to failed/.
//
// What a killed writer left, or what lacks a write that failed, is spoilt, and no close publishes
// it. The name lets go of it at the close that finds this: it gets a new inode with what it held
// before. The handles that are still open share the old inode, and their closes fail. A program
// that empties the file before that close makes it whole. Content that no flush could publish (an
// empty file, or a late write through a mapping) is queued and sent from there. A scratch file
// keeps its spool for good.
//
// # The states of a file
//
// Each node has one of these states, and only its method On changes it. Nothing else records
// whether a file is local, queued or dirty: that follows from the state.
//
//	state      local content                          what the next mount finds
//	clean      nothing that the service lacks         its row
//	dirty      written content                        its spool: to failed/, unless the service has the same content
//	pending    content that a close queued            row and spool, or its copy in the database: it is sent
//	rewritten  the same, and newer content            the same; the newer content goes to failed/
//	stuck      content that this machine could not    its spool: to failed/
//	           queue or move to failed/ (disk full)
//	scratch    content that stays local               row and spool
//	removed    only for handles that are still open   nothing
//	lost       the same, deleted by others            nothing
//	strayed    the same, and written to, or spoilt    row and spool: to failed/
//
// Rows are states and columns are events. A dash leaves the state unchanged. A dot means that
// the event cannot happen in that state; tests fail if it does. Queued content is always
// cancelled before another event takes the node out of the queue.
//
//	           written    enqueued  waited  cancelled  uploaded  outdated  reverted  restored  replaced  hidden   shown  unlinked  vanished  spoiled  failed
//	clean      dirty      pending   stuck   .          -         dirty     -         .         dirty     scratch  .      removed   .         strayed  .
//	dirty      -          pending   stuck   .          clean     -         clean     .         -         scratch  .      removed   strayed   strayed  .
//	pending    rewritten  -         .       dirty      .         -         .         .         -         .        .      .         .         .        .
//	rewritten  -          pending   .       dirty      .         -         .         pending   -         .        .      .         .         strayed  .
//	stuck      -          pending   .       dirty      .         -         .         .         -         .        .      .         .         .        .
//	scratch    -          .         .       .          .         .         .         .         .         -        clean  removed   strayed   .        .
//	removed    -          .         .       .          -         -         .         .         .         .        .      .         lost      .        .
//	lost       strayed    .         .       .          -         -         .         .         .         .        .      .         .         .        .
//	strayed    -          .         .       .          lost      -         .         .         .         scratch  .      .         .         .        lost
//
// The comments on the constants in tree/state.go say what each event means.
//
// A refusal and an unknown outcome change no state at once: the content stays dirty until its last
// release, or pending until the queue has dealt with it. Whether it is being sent is a state of the
// queue; see package outbox.
//
// All events happen under Store.mu, in the files of the last column. Where the lock column says
// body, the caller also holds the file's Body; likewise when a file is enqueued.
//
//	event      lock   durable   files
//	written    body   spool     handleedit recover renamevisible
//	enqueued   store  synced    letgo queue
//	waited     body   spool     finalize
//	cancelled  store  synced    queue
//	uploaded   body   written   publish
//	outdated   body   written   publish
//	reverted   store  soon      finalize queue recover
//	restored   body   soon      queue
//	replaced   store  synced    renameplan
//	hidden     store  soon      create renameplan renamevisible sidecar
//	shown      store  synced    renameplan renamevisible treereconcile
//	unlinked   store  noted     node
//	vanished   store  soon      removed sidecar treevanished
//	spoiled    store  soon      letgo open
//	failed     body   failed    finalize removed
//
// The durable column says what survives a kill, or a power loss, by the time the caller that
// caused the event is told:
//
//	spool    the content survives a kill, in its spool; only scratch also has a row
//	soon     nothing yet: the row is written within 20 ms, and synced 100 ms later
//	noted    a removal survives a kill, through a log (tombstones); if the file was queued, its row is synced
//	written  the row survives a kill; if the service had other content before, the row is synced
//	synced   row and content survive a power loss; a cancellation does before its content is dropped
//	failed   content, reason and path are in failed/
//
// Package check states the invariants between states, queue, rows and files. Tests check them
// at the end.
//
// # Renames
//
// This table shows the requests that renaming a file makes, apart from a check of the tree.
// "Unsent" is a file that the service does not have, "free" a visible name that is not taken.
// The flag is --allow-delete (delete), --write-back or none.
//
//	source     to         flag        asked
//	scratch    scratch    -           -
//	scratch    free       -           UploadFile
//	scratch    published  -           UploadFile
//	scratch    free       write-back  -
//	scratch    published  write-back  -
//	unsent     free       -           -
//	unsent     published  -           -
//	unsent     scratch    -           -
//	published  free       -           refused
//	published  scratch    -           refused
//	published  free       delete      UploadFile+DeleteFile
//	published  published  delete      UploadFile+DeleteFile
//	published  scratch    delete      DeleteFile
//	published  free       both        UploadFile+DeleteFile
//
// With --write-back the upload of a scratch file is queued durably instead. A published file is
// moved at once, always: its content goes to the new name, its version under the old name is
// compared again, and only then deleted. Content that is queued or being written goes along, and
// is sent to the new name later.
//
// # Uploads
//
// Only upload sends content to the service, only recordUploadLocked records the answer, and
// only createDir creates directories. Uploads differ in who waits for them, what can stop them
// before their last bytes are sent, and which functions complete them.
//
//	upload  asked-by       waits   stopped-by  ended-by
//	close   publish        closer  -           published
//	queue   publish        nobody  canceller   published
//	rename  send           caller  undecided   send+showLocked
//	move    movePublished  caller  undecided   deleteOldName+showLocked
//	retry   RetryFailed    caller  undecided   RetryFailed
//
// Changing or removing queued content shuts its Canceller; a caller that gives up shuts its
// Undecided. A close that waits for its upload has no queue entry: the entry would have to
// replace older queued content of the file, which must survive if the newer close fails. The
// spool already tells the next mount that the upload was in progress, so an entry would only
// cost one more row, written and removed, per small file.
//
// # Uploads interrupted by a kill
//
// An upload that a kill interrupts may still take effect later: its outcome is unknown. So the
// store leaves a trace for the next mount before the first byte is sent. It is not synced,
// because it guards against a kill only. For a close that waits for its upload the trace is the
// row that names the spool, which a success removes; otherwise it is a note of the name (upload.go), which is
// removed together with the rows that record the success. The next mount verifies the first
// upload to that name, and sends again what is not there. The content that was being sent is
// afterwards
//
//	sender    told-by   then
//	close     spool     failed
//	queue     note      queued
//	rename    note      scratch
//	move      note      published
//	retry     note      failed
//
// Here a rename gives a scratch file a visible name, and a move gives a published file another
// name. A move that is cut before the deletion leaves both names. The first GetTree of the next
// mount reports the noted names that the service has, unless their content is queued. An upload
// with an unknown outcome leaves the same note if the process survives.
//
// # What survives a kill
//
// Rows are written up to 20 ms after the tree in memory changes. A kill in that time restores
// the tree of a moment before, consistently: one transaction writes everything that changed
// under one hold of Store.mu.
//
//   - A close of content for the service waits until the service has it, or it is queued, and
//     its row is written.
//   - Small content sent from the queue does not wait: after a kill it is still queued and is
//     sent once more.
//   - A close of a written scratch file, and a rename over a scratch file, wait for the row;
//     the replaced content is dropped only then.
//   - A removal does not wait, but a kill does not undo it: a log (tombstones) holds the inode
//     numbers whose last name was removed until their rows are written, and the next start
//     drops those inodes. Removing one name of several waits for the row.
//   - Everything else, such as the name of an empty file, does not wait.
//
// A spool is named by a serial that no other spool ever had, and the row of an inode names its
// spools, so content never appears under another file's name. A spool that no row names moves to
// failed/ as unnamed-SERIAL. A close waits for the row before it sends anything, and a write that
// replaces a spool before it drops the old one.
//
// The row records the length of content that only this machine has. Queued content (of a file
// or a draft) with another length, and scratch that is shorter, is damaged: the machine lost
// power, or someone changed the spool. What is left moves to failed/. Small queued content has a
// copy in the database instead, and each start restores a spool that differs from it: the disk may
// have lost power without the machine. An empty entry there reports content that is missing altogether. So a
// write to scratch raises the recorded length after it, and a truncation lowers it before. The
// row of an entry of failed/ names its spool, and is removed only after the row that had the
// content queued, so that discarded content is not reported as lost.
//
// A draft has a row from before its first byte until its content has left the spool. The next
// mount reads from it the path to show in failed/, and caches content that the service received
// just before the kill. With --write-back, the row of a draft whose close returned names the
// queued spool, durably: the next mount sends that (see package draft), and newer writes go to
// failed/. The row also records what the paper was known to have, unless an attempt may have
// taken effect since.
//
// # Locks
//
// A change of a name at the service first locks that name (of a directory), or several names at
// once, and holds the lock during requests. All other locks are taken under it, in this order;
// a lock may be skipped, but never taken out of order. A goroutine never holds two locks of one
// kind, except Body, in order of inode number. Package lock gives each lock a rank, and tests
// fail when the order is violated.
//
//	lock        it guards                                      held over
//	Sending     a draft: one Send at a time                    requests
//	Draft       a draft's content                              local files, its row
//	Known       what is known of a draft                       local files, its row
//	Load        a download of a file's content                 requests
//	Body        a file's local content                         local files
//	Failures    failed/                                        local files, its rows
//	Flights     which GetTree is in progress                   nothing
//	Store       the tree, and all that has no other lock       nothing
//	Outbox      the queue of files, or of drafts               nothing
//	Table       what is to be written; log and reserve of it   these two files
//	Caller      who waits for a change of names                nothing
//	Contents    which published content is cached              its removal
//	Names       which names are locked                         nothing
//
// A method whose name ends in Locked needs Store.mu; one that ends in BodyLocked needs the
// file's Body. Methods that report about a node or a body need the same lock. Under Store.mu
// nothing is logged, reported, requested or synced; tests check this. No callback runs under
// any lock.
//
// A change of names whose caller gave up continues, late, once it has had an effect. It keeps
// its names locked, and users of those names wait (AwaitName, AwaitInode). At its end it
// compares what now has the name with what it was planned on, and leaves content alone that was
// written or closed since.
package media
