// Package media implements the media store: all that the mount shows under media/, including what is being written and
// what never leaves this machine, and the PDFs of papers/ that are on their way to the service.
//
// The service accepts only whole files and offers at most listings. The rest is kept here: inode numbers, exact sizes,
// digests, modes and times in the account's database; content that the service lacks in the spool; published content in
// a cache keyed by SHA-256; what could not be published in failed/. Lookups are answered from a tree in memory, with
// which answers of GetTree are reconciled. Without GetTree the database is its only source.
//
// Store is made of the packages below this folder. Each has state of its own and uses those above it in this list, never the reverse:
//
//	package    type        what is decided there
//	option     Options     what the mount was told
//	names      Tree        nothing: inodes, names, and what is to be written of them
//	reconcile  Reconciler  what a version of others does to a file
//	body       Bodies      where the bytes of a file are, and when its name no longer refers to them
//	upload     Uploader    how content is sent
//	handle     Handles     what a close does
//	queue      Sender      what comes of what is queued
//	naming     Naming      what a rename or a removal does
//	recovery   Recovery    what a kill leaves
//
// plan and waiter serve naming. The packages in cache/content have one job each and know none of these. A tree.Node is an
// inode in memory, a tree.Body its content here, a spool.File one copy of content.
//
// # A file's content
//
// A write goes to the file's spool and raises its write generation. Flush publishes the newest generation if the handle
// has written since the last upload. An upload reads a frozen spool: a write meanwhile goes to a copy, and so does one
// to a sealed spool and to queued content, which stays as it is until a newer close replaces it. A spool over published
// content lacks what has not come (body/draft.go); it is neither frozen nor queued before it is whole. After the last
// release, a published spool becomes cached content, and a refused one moves to failed/. What no flush could publish
// (an empty file, a late write through a mapping) is queued and sent from there. Without room, it tries again.
//
// The bytes of an inode change only by writes of programs on this machine. Whatever else changes what a name holds
// gives the name a new inode (names/detach.go, body/detach.go): a version of others, unless local programs are writing the file or have queued
// content; a refusal by the queue; the close that finds what a killed writer left, or what lacks a write that failed.
// Handles that are open share the old inode: they read the version that they opened, and what they write goes to
// failed/, as their closes say. A program that empties the file before its close makes it whole.
//
// # The states of a file
//
// A node's state, which only its method On changes, alone says whether it is local, queued or dirty.
//
//	state      local content                          what the next mount finds
//	clean      nothing that the service lacks         its row
//	dirty      written content                        its spool: to failed/, unless the service has the same content
//	pending    content that a close queued            row and spool, or its copy in the database: it is sent
//	rewritten  the same, and newer content            the same; the newer content goes to failed/
//	scratch    content that stays local               row and spool
//	orphan     what only open handles have            row and spool: to failed/, unless a local program removed it
//
// Rows are states, columns events, which content/tree/state.go explains. A dash leaves the state unchanged. A dot: the
// event cannot happen there, or tests fail. Queued content is cancelled before another event takes it out of the queue.
//
//	           written    enqueued  cancelled  uploaded  outdated  reverted  replaced  hidden   shown  unlinked
//	clean      dirty      pending   .          -         dirty     -         dirty     scratch  .      orphan
//	dirty      -          pending   .          clean     -         clean     -         scratch  .      orphan
//	pending    rewritten  -         dirty      .         -         .         -         .        .      .
//	rewritten  -          pending   dirty      .         -         .         -         .        .      .
//	scratch    -          .         .          .         .         .         .         -        clean  orphan
//	orphan     -          .         .          -         -         .         .         .        dirty  .
//
// A PDF of papers/ lives the same life in a hidden directory: upload/pdf sends it by a function of its caller, its
// Publisher says when, and its end is the close of its last writer. It has a row of its own from before its first byte
// until its content has left the spool. Queued, the row also says what the paper was known to have, unless an attempt
// may have taken effect since. Refused content stays with its writers, who may write more and send that. A refused
// close and an unknown outcome change no state at once: the content stays dirty until its last release, or pending
// until the queue has dealt with it. Whether it is being sent is a state of the queue (package outbox).
//
// All events happen under Tree.Mu, in these files; where the lock is body, or a file is enqueued, under its Body, too.
//
//	event      lock   durable   files
//	written    body   spool     body/edit naming/renamepdf naming/renamevisible queue/fail recovery/recover
//	enqueued   store  synced    body/enqueue names/detach names/queue recovery/pdf
//	cancelled  store  synced    names/queue
//	uploaded   body   written   body/freeze
//	outdated   body   written   body/freeze
//	reverted   store  soon      names/queue recovery/recover
//	replaced   store  synced    naming/renameplan
//	hidden     store  soon      naming/create naming/renameplan naming/renamevisible
//	shown      store  synced    names/detach naming/renameplan naming/renamevisible reconcile/reconcile
//	unlinked   store  soon      names/detach names/node recovery/load
//
// When the caller is told, "spool" content survives a kill; "soon" the row is written (in 20 ms) and synced (100 ms
// later), of a removal at once; a "written" row survives a kill, and is synced if the service had other content
// before; "synced" survives a power loss, also a cancellation. checkmemory_test.go has the invariants.
//
// # Renames
//
// The requests of a rename, apart from a check of the tree. "Unsent" is a file that the service does not have, "free" a
// visible name, "case" the same in another case, "delete" the flag --allow-delete, "both" with --write-back, "moves" a
// service that offers moves; before one replaces a file, the mount sends what is queued. With --write-back it queues the upload
// of a scratch file durably. EXDEV makes mv copy the file and remove the old one.
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
//	published  free       delete      EXDEV
//	published  published  delete      refused
//	published  scratch    delete      DeleteFile
//	published  free       both        refused
//	published  case       delete      refused
//	directory  free       delete      refused
//	published  free       moves       MoveFile
//	published  published  moves       MoveFile
//	published  case       moves       MoveFile
//	directory  free       moves       MoveDirectory
//
// # Uploads and kills
//
// Only package upload sends content to the service, only RecordUploadLocked records the answer, only CreateDir creates
// directories. The request of a large file begins while it is written (upload/early.go); its close has the last bytes sent.
// Uploads differ in who waits, what can stop them before these (a change of what is queued, a caller that leaves),
// what completes them, what tells the next mount of a cut, and what becomes of it.
//
//	upload  asked-by       waits   stopped-by  ended-by         noted-by  then
//	close   UploadSeen     closer  -           Published        spool    failed
//	queue   UploadSeen     nobody  canceller   Published        note     queued
//	rename  send           caller  undecided   send+ShowLocked  note     scratch
//	retry   RetryFailed    caller  undecided   ShowLocked       note     failed
//
// Meanwhile a version that a GetTree has under its name is left out; if it fails, the tree is read again. A cut upload may
// still take effect where the service does not compare versions: the row of its spool, or a note of the name, tells of it before
// it is sent, and the next mount verifies the first upload to that name.
//
// One transaction, up to 20 ms later, writes all rows that changed under one hold of Tree.Mu; a kill before it
// restores the tree of a moment before. These wait for it: a close, a rename over scratch, a removal, a write that
// replaces a spool. A spool that no row names goes to failed/ as unnamed-SERIAL.
//
// # Locks
//
// A change of a name at the service first locks that name, or several at once, also during requests. Under it all other
// locks are taken in this order, never two of one kind, except Body by inode number; tests check it (package lock).
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
// A method whose name ends in Locked needs Tree.Mu, one that ends in BodyLocked the file's Body. Under Tree.Mu
// nothing is logged, reported, requested or synced (tested). No callback runs under a lock, but Options.Kept under Body, and PDFPath.
package media
