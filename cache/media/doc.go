// Package media implements the media store: everything the mount shows under media/, including
// what is being written and what never leaves this machine. It also keeps the PDFs of
// papers/ that are on their way to the service.
//
// The service accepts only whole files and offers at most listings. The rest is kept locally: inode
// numbers, exact sizes, digests, modes and times in the account's database; content that is not at
// the service yet in the spool; published content in a cache keyed by SHA-256; and content that
// could not be published in failed/. Lookups are answered from a tree in memory, with which answers
// of GetTree are reconciled. Without GetTree the database is the only source of the tree.
//
// The main types are Store (of one account), Handle (an open file), tree.Node (a file or directory
// in memory), tree.Body (the local content of a file) and spool.File (one copy of content). The
// packages in cache/content and below this folder have one job each and do not import this one.
// The files here are named after their subject, and call each other in one direction, except letgo
// and sidecar:
//
//	open, recover     startup, shutdown, and what an earlier run left
//	create, node      new files, directories and links; finding and linking nodes
//	rename*, remove*  changes of names; change: what they share
//	handle*, draft    open files: read, write, close; what comes of published content while programs write over it
//	ownfile           content that a service in this process has in a file of its own
//	finalize, letgo   content after the last close; a new inode for a name whose content others changed, or is spoilt
//	retry, newdata    failed/: retrying an entry, and filling it when the service lost its data
//	queue*, publish*  the queue; sending one file or directory, and recording the answer
//	pdf*              PDFs of papers/, which are files with a name that programs do not see
//	upload, tree*     one upload to a name; lookups, GetTree and its reconciliation
//	store, status     the Store, and what it reports
//
// # A file's content
//
// A write goes to the file's spool and raises its write generation. Flush publishes the newest
// generation if the handle has written since the last upload. An upload reads a frozen spool: a
// write during the upload goes to a copy. So does a write to queued content, which stays
// unchanged until a newer close replaces it. A spool over published content that is not on this
// machine lacks what has not come (draft.go); it is neither frozen nor queued before it is whole. After the last release, a published spool becomes
// cached content, and a refused one moves to failed/.
//
// The bytes of an inode change only by writes of programs on this machine. Whatever else changes
// what a name holds gives the name a new inode (letgo.go): a version that others put there, unless
// local programs are writing the file or have queued content; a refusal by the queue; and the close
// that finds what a killed writer left, or what lacks a write that failed. The handles that are
// still open share the old inode: they read the version that they opened, and what they write goes to
// failed/, as their closes say. A program that empties the file before its close makes it whole.
// Content that no flush could publish (an
// empty file, or a late write through a mapping) is queued and sent from there. What finds no room to
// be queued, or for its entry of failed/, is finalized again by the queue. A scratch file keeps its
// spool for good.
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
//	scratch    content that stays local               row and spool
//	apart      no name shows it; only for open        what was written to it, unless a local program
//	           handles                                removed it: row and spool, to failed/
//
// Rows are states and columns are events. A dash leaves the state unchanged. A dot means that
// the event cannot happen in that state; tests fail if it does. Queued content is always
// cancelled before another event takes the node out of the queue.
//
//	           written    enqueued  cancelled  uploaded  outdated  reverted  replaced  hidden   shown  parted
//	clean      dirty      pending   .          -         dirty     -         dirty     scratch  .      apart
//	dirty      -          pending   .          clean     -         clean     -         scratch  .      apart
//	pending    rewritten  -         dirty      .         -         .         -         .        .      .
//	rewritten  -          pending   dirty      .         -         .         -         .        .      .
//	scratch    -          .         .          .         .         .         .         -        clean  apart
//	apart      -          .         .          -         -         .         .         .        dirty  .
//
// The comments on the constants in content/tree/state.go say what each event means.
//
// A PDF of papers/ lives the same life in a hidden directory: pdfsend sends it by a function of its
// caller, its Publisher says when, and its end is the close of its last writer. It has a row of its
// own (package journal) from before its first byte until its content has left the spool. Queued, the
// row also says what the paper was known to have, unless an attempt may have taken effect since.
// Refused or spoilt content stays with its writers, who may write more and send that.
//
// A refused close and an unknown outcome change no state at once: the content stays dirty until its
// last release, or pending until the queue has dealt with it. Whether it is being sent is a state of
// the queue; see package outbox.
//
// All events happen under Store.mu, in the files of the last column. Where the lock column says
// body, the caller also holds the file's Body; likewise when a file is enqueued.
//
//	event      lock   durable   files
//	written    body   spool     handleedit queuefail recover renamevisible
//	enqueued   store  synced    letgo pdfrecover queue
//	cancelled  store  synced    queue
//	uploaded   body   written   publish
//	outdated   body   written   publish
//	reverted   store  soon      queue recover
//	replaced   store  synced    renameplan
//	hidden     store  soon      create renameplan renamevisible
//	shown      store  synced    beside renameplan renamevisible treereconcile
//	parted     store  soon      letgo node open recover
//
// The durable column says what survives a kill, or a power loss, by the time the caller that
// caused the event is told:
//
//	spool    the content survives a kill, in its spool; only scratch also has a row
//	soon     nothing yet: the row is written within 20 ms, and synced 100 ms later; a log (tombstones)
//	         keeps a removal by a local program from being undone by a kill
//	written  the row survives a kill; if the service had other content before, the row is synced
//	synced   row and content survive a power loss; a cancellation does before its content is dropped
//
// Package check states the invariants between states, queue, rows and files. Tests check them
// at the end.
//
// # Renames
//
// The requests of a rename, apart from a check of the tree. "Unsent" is a file that the service does
// not have, "free" a visible name, "case" the same in another case, "delete" the flag --allow-delete,
// "both" with --write-back, "moves" a service that offers moves.
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
//	published  case       delete      refused
//	directory  free       delete      refused
//	published  free       moves       MoveFile
//	published  published  moves       MoveFile
//	published  case       moves       MoveFile
//	directory  free       moves       MoveDirectory
//
// With --write-back the upload of a scratch file is queued durably instead. A published file moves
// at once. Without moves it is uploaded under the new name, compared again, and then deleted under the
// old one. Content that is queued or being written goes along, and is sent to the new name later.
//
// # Uploads
//
// Only upload sends content to the service, only recordUploadLocked records the answer, and only
// createDir creates directories. Uploads differ in who waits for them, what can stop them before
// their last bytes are sent (a change of what is queued, or a caller that leaves), which functions
// complete them, what tells the next mount of one that a kill cut, and what becomes of its content.
//
//	upload  asked-by       waits   stopped-by  ended-by                  told-by  then
//	close   uploadSeen     closer  -           published                 spool    failed
//	queue   uploadSeen     nobody  canceller   published                 note     queued
//	rename  uploadOver     caller  undecided   send+showLocked           note     scratch
//	move    uploadOver     caller  undecided   deleteOldName+showLocked  note     published
//	retry   RetryFailed    caller  undecided   showLocked                note     failed
//
// While an upload is under way, a version that a GetTree has under its name is left out, as it may be
// what is being sent. If the upload fails, the next use of the tree reads it again.
//
// The outcome of a cut upload is unknown: it may still take effect. So it is told before its first
// byte is sent, by the row or the log entry that names the spool, or by a note of the name, which goes with the rows
// that record the success. The next mount verifies the first upload to that name, and sends again what is not there;
// a service that compares versions refuses the cut one once that has succeeded. A move by an upload that is cut before
// the deletion leaves both names: after its first GetTree the next mount reports the noted names that the service has,
// unless something is queued for them. An upload with an unknown outcome leaves its note if the process survives, too.
//
// # What survives a kill
//
// Rows are written up to 20 ms after the tree in memory changes. A kill in that time restores the
// tree of a moment before: one transaction writes all that changed under one hold of Store.mu.
//
//	close for the service      waits until the service has it, or its row says that it is queued
//	sent by the queue, small   does not wait: it is sent once more
//	close of written scratch   waits for the row
//	rename over scratch        waits for the row, and then drops what it replaces
//	removal of the last name   does not wait: a log holds the inode until its row is written
//	removal of another name    waits for the row
//	row of a new spool         does not wait: the log holds its serial, inode and path until then
//	anything else              does not wait
//
// The row of an inode names its spools, so content never appears under another file's name; a spool
// that neither a row nor the log names moves to failed/ as unnamed-SERIAL. A write that replaces a
// spool waits for the row before it drops the old one. Package spool says what
// rows know of a spool's length, and package tree what the rows of PDFs say.
//
// # Locks
//
// A change of a name at the service first locks that name (of a directory), or several names at
// once, and holds the lock during requests. All other locks are taken under it, in this order, and
// never two of one kind, except Body, in order of inode number; tests check it (package lock).
//
//	lock        it guards                                      held over
//	Load        a download of a file, or a Send of a PDF       requests
//	Body        the local content of a file                    local files, rows
//	Failures    failed/                                        local files, its rows
//	Flights     which GetTree is in progress                   nothing
//	Store       the tree                                       nothing
//	Outbox      the queue of files, or of PDFs                 nothing
//	Table       what is to be written; log and reserve of it   these two files
//	Reading     what is here of contents that are read         holes in their files
//	Contents    which published content is cached              its removal
//	Names       which names are locked                         nothing
//
// A method whose name ends in Locked needs Store.mu; one that ends in BodyLocked needs the
// file's Body. Under Store.mu nothing is logged, reported, requested or synced; tests check this.
// No callback runs under any lock.
package media
