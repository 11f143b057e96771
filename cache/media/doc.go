// Package media is the media store as the mount shows it: what is known of
// the service's directories and files, what is being written, and what never
// goes there.
//
// The service takes whole files and gives listings at best. This package keeps
// everything else here: inode numbers, exact sizes, SHA-256, modes and times in
// the account's database; content on its way in a spool directory; published
// content in a cache by SHA-256; refused content in failed/. A tree in memory
// answers every look-up. GetTree fills it, and is compared with it from then on.
// Where the service has no GetTree, the state alone is the tree.
//
// # Where things are
//
// Store, in this package, does what the mount asks for. The packages below it know
// nothing of it, and each has one thing:
//
//	draft         a paper's PDF while it is written, and those of them that are queued
//	tree          nodes in memory: names, versions at the service, states, bodies
//	spool         content that the service has not got, in files
//	contentcache  published content, kept for reading
//	failed        content that could not be published
//	journal       rows of the database, and the notes that outlive a kill
//	outbox        the queue: what is sent, in which order, and when again
//	cause         what a failure to send means: refused, passing, about everything
//	progress      which uploads are under way
//	namelock      one change at a time of one name at the service
//	waiter        who waits for a change of names, and may leave
//	inode         numbers, kinds, attributes, times, digests
//	refusal       errors of the store's own
//	localname     which names stay on this machine
//	disk          the disk's reserve, the quota, whether syncs have succeeded
//	lock          mutexes with ranks
//	flight        one GetTree at a time, shared by all who need its answer
//	plan          what a rename asks of the service, from the tree alone
//	check         what must be so between memory, rows and files
//	crash         points at which tests kill the process
//
// The files of this package begin with what they are about. The calls between them run
// one way, but where beside and removed, or the two of a comparison, need each other.
//
//	api               options, and what callers use of the packages below
//	open, recover     start and end; what an earlier run has left
//	create            what is new
//	rename*, remove*  changes of names; change: what they share, and who waits for them
//	handle*           open files: read, write, close
//	finalize          content after the last close: cache, failed/ or queue
//	retry, salvage    failed/: sent again, and filled where the service has lost its data
//	queue*            what waits to be sent: close, send, refuse, cancel
//	publish*          one file or directory: freeze, send, take the answer
//	upload            one upload to a name: note, send, verify
//	node              finds, makes, links and unlinks nodes
//	tree*             look-ups; GetTree and its comparison with the tree
//	store             the Store, and what marks its nodes as changed
//	status            what is told; selfcheck: memory, rows and files held to package check
//	beside            the files of SQLite that stay here and go with a database
//	pdfs              the drafts, for the rest of the mount
//
// # A file's content
//
// A write goes to the file's spool and raises its write generation. Flush
// publishes the newest generation when the handle has written since the last
// upload. An upload reads a frozen spool: a write that comes in that time goes to
// a copy, and so does one to content that is queued, which a newer close
// replaces. After the last release a published spool becomes the cached
// content, a refused one goes to failed/, and one that no flush could publish
// (an empty file, a mapping written late) is queued and sent from there.
// A scratch file stays in its spool for good.
//
// # The states of a file
//
// A node has one of these states, and only its method On changes it. There is no
// other note of the same: what is local, queued or dirty follows from it.
//
//	state      what is here                           what the next mount finds
//	clean      nothing that the service has not got   its row
//	dirty      content that is written                its spool: to failed/, unless it is what the service has
//	pending    content that a close has queued        row and spool, or its copy in the database: it is sent
//	rewritten  the same, and newer content            the same; the newer content goes to failed/
//	stuck      content that could not be queued, or   its spool: to failed/
//	           moved to failed/, for lack of room
//	scratch    content that stays                     row and spool
//	removed    what those who have it open use        nothing
//	lost       the same, removed by others            nothing
//	strayed    the same, and written                  its spool: to failed/, as unnamed-INODE
//
// Each row is a state, each column what happens; a dash changes nothing, and a dot
// does not happen: tests end where it does. What is queued leaves the queue, by
// cancelled, before anything else happens to it.
//
//	           written    enqueued  waited  cancelled  uploaded  outdated  reverted  restored  replaced  hidden   shown  unlinked  vanished  salvaged
//	clean      dirty      pending   stuck   .          -         dirty     -         .         dirty     scratch  .      removed   .         .
//	dirty      -          pending   stuck   .          clean     -         clean     .         -         scratch  .      removed   strayed   .
//	pending    rewritten  -         .       dirty      .         -         .         .         -         .        .      .         .         .
//	rewritten  -          pending   .       dirty      .         -         .         pending   -         .        .      .         .         .
//	stuck      -          pending   .       dirty      .         -         .         .         -         .        .      .         .         .
//	scratch    -          .         .       .          .         .         .         .         .         -        clean  removed   strayed   .
//	removed    -          .         .       .          -         -         .         .         .         .        .      .         lost      .
//	lost       strayed    .         .       .          -         -         .         .         .         .        .      .         .         .
//	strayed    -          .         .       .          lost      -         .         .         .         scratch  .      .         .         lost
//
// Written is a write that came here. Enqueued is a close with --write-back, or the
// last release of what no close could send. Waited is the failure of this machine to
// queue it or to move it to failed/; it is tried again. Uploaded tells that the
// service has all that is here, outdated that it has what was here before the last
// write, reverted that its version is shown again, after a refusal, and restored the
// same of the version that is queued. Replaced is a rename over a published file,
// hidden and shown one to or from a name that stays here. Unlinked is the end of the
// last name, vanished that others brought it about, and salvaged the move of what was
// written then to failed/. A refusal, an unknown outcome and a killed writer change
// nothing at once: the content stays dirty or pending until its last release, or
// until the queue has seen to it. Whether it is being sent is the queue's state, see
// package outbox.
//
// All of it happens under Store.mu, in the files of the last column. Where the lock is
// body, Body of the file is held, too; so it is for what is enqueued of a file.
//
//	event      lock   durable   files
//	written    body   spool     handleedit recover renameleave
//	enqueued   store  synced    queue
//	waited     body   spool     finalize
//	cancelled  store  synced    queue
//	uploaded   body   written   publish
//	outdated   body   written   publish
//	reverted   store  soon      finalize queue recover
//	restored   body   soon      queue
//	replaced   store  synced    renameplan
//	hidden     store  soon      beside create renameleave renameplan
//	shown      store  synced    renameleave renameplan treereconcile
//	unlinked   store  noted     node
//	vanished   store  soon      beside removed treevanished
//	salvaged   body   failed    finalize removed
//
// Durable is what outlives a kill, or the end of the machine, when who caused the event
// hears of it:
//
//	spool    the content outlives a kill, in its spool; of a row only scratch has one
//	soon     nothing yet: the row is written within 20 ms, and synced 100 ms later
//	noted    a removal outlives a kill, by a log (tombstones); of what was queued its row is synced
//	written  the row outlives a kill; where the service had another content, it is synced
//	synced   row and content outlive the machine's end; of what is cancelled they do before its content goes
//	failed   content, reason and path are in failed/
//
// What must be so between states, queue, rows and files stands in package check; tests
// look after what they do.
//
// # Renames
//
// What a rename of a file asks of the service, beside a look at the tree, is in this
// table. Unsent is a file that the service has not got, to free is to a visible name
// that nothing has, and the flag is --allow-delete (delete), --write-back or none.
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
//
// With --write-back the upload is queued, durably.
//
// # Uploads
//
// One function sends content to the service, upload, and one takes the answer,
// takenLocked; makeThere alone makes directories. The uploads differ in who waits for
// them, who may stop them until their last bytes are out, and who ends them.
//
//	upload  asked-by     waits   stopped-by  ended-by
//	close   publish      closer  -           published
//	queue   publish      nobody  canceller   published
//	rename  send         caller  undecided   send+showCopy
//	move    resendAs     caller  undecided   moveSent+showCopy
//	retry   RetryFailed  caller  undecided   RetryFailed
//
// A Canceller is shut by who changes or removes what is queued, an Undecided by the end of
// the caller. A close that waits has no entry in the queue: an entry would have to take
// the place of older queued content of the file, which has to survive if the newer close
// fails. And its spool already tells the next mount that it was under way, while an entry
// would be one more row, written and removed, for each small file.
//
// # Uploads that a kill interrupts
//
// An upload that the end of the process interrupts may take effect late: its outcome is
// unknown. Before its first byte goes out something tells the next mount of it, at no
// sync, since only a kill is what that guards against: the spool of a close that waits
// for its upload, which a success takes away, or else a note of the name (upload.go),
// which goes with the rows that tell of the success. The next mount checks the first
// upload that comes to the name, and sends again what is not there. What was
// being sent is then
//
//	sender    told-by   then
//	close     spool     failed
//	queue     note      queued
//	rename    note      scratch
//	move      note      published
//	retry     note      failed
//
// where a rename gives a scratch file a visible name, and a move a published one
// another. One that fails with an unknown outcome while the process goes on leaves the
// same note.
//
// # Moves that a kill interrupts
//
// A move is an upload and a deletion. Between them an intent tells the next mount of it
// (renamerecover.go), which compares what the service has under the old and the new name,
// or is queued, and may delete or not: it ends the move, or changes nothing.
//
//	old     queued   new      delete   stays  told
//	same    -        -        yes      old    -
//	same    -        same     yes      new    -
//	same    -        other    yes      both   -
//	same    -        same     -        both   yes
//	same    -        untold   yes      both   yes
//	older   newer    newer    yes      new    -
//	-       newer    newer    yes      new    -
//	-       -        same     yes      new    -
//
// # What a kill finds of the last moment
//
// Rows are written up to 20 ms after the tree in memory has changed. A close of content that
// goes to the service waits until it is there, or queued, and its row is written, so no kill
// takes that away. Small content that the queue has sent waits for nothing: a kill in that
// time finds it queued, and it is sent once more. A close of a scratch file that was written
// waits for its row, too. All else, and the name of an empty file, wait for nothing: a kill
// in that time finds the tree as it was a moment before, whole, since one transaction writes
// what was changed under one lock of Store.mu. A spool has the number of its inode, and a
// number whose row or spool is left is not given again, so content never gets another file's
// name: what has no row goes to failed/ as unnamed-INODE. A rename over a scratch file waits
// for its row before the replaced content goes. A removal waits for nothing, and a kill does
// not undo it: a log (tombstones) has the inode number of what lost its last name until the
// row is written, and the next start drops the inodes in the log. The removal of one name of
// several waits for its row.
//
// A row tells how long content is that only this machine has. Queued content, of a file or
// a draft, that is not so long, and scratch that is shorter, was damaged: the machine lost its power, or
// somebody changed the spool. It is restored from its copy in the database, or what is
// left of it goes to failed/; an empty entry there tells of content that is gone. So a
// write to scratch raises the number in its row after it was made, and what shortens it
// lowers the number before. The row of an entry of failed/ names its spool, and goes after
// the row that had the content queued: what was discarded is not taken for lost.
//
// A draft, which is a paper's PDF, has a row from before its first byte until its content
// has left the spool. The next mount finds by it the path that failed/ tells, and keeps for
// reading what the service got just before the kill. With --write-back the row of a draft
// whose close was answered names the queued spool, durably: the next mount sends that
// (package draft), and what was written after it goes to failed/. The row also tells what
// the paper was known to have, unless an attempt may have had its effect since.
//
// # Locks
//
// Who changes what a name stands for at the service first locks that name, a
// name of a directory; several at once, or none. It is held over requests. All
// other locks are taken under it, in this order; one may be skipped, never taken
// against the order. Two of one kind are never held, but for Body, by the numbers
// of the inodes. Package lock gives each its rank, and tests end where the order
// is not kept.
//
//	lock        it guards                                      held over
//	Sending     a draft: one Send at a time                    requests
//	Draft       a draft's content                              local files, its row
//	Known       what is known of a draft                       local files, its row
//	Load        a file's content on its way from the service   requests
//	Body        a file's local content                         local files
//	Failures    failed/                                        local files, its rows
//	Tombstones  the log of what was removed here               its file
//	Flights     which GetTree is under way                     nothing
//	Store       the tree, and all that has no other lock       nothing
//	Outbox      what is queued, of files or of drafts          nothing
//	Table       what is to be written to the database          nothing
//	Caller      who waits for a change of names                nothing
//	Room        how much of the disk is used                   removal of what is cached
//	Contents    which published content is kept                its removal
//	Unknown     names of uploads with an unknown outcome       nothing
//	Intents     renames that an earlier run began              nothing
//	Progress    which uploads are under way                    nothing
//	Drafts      which drafts have content                      nothing
//	Names       which names are locked                         nothing
//	Gate        whether content is sent on                     nothing
//	Sync        whether a sync has failed                      nothing
//	Ballast     the file that takes room                       its file
//
// A method of Store, or of a change that is under way, that needs Store.mu held ends in
// Locked, one that needs a file's Body held in BodyLocked. What a node or a body tells of
// itself needs the same. Nothing is logged, reported, asked of the service or synced under
// Store.mu; tests end where it is.
//
// A change of names whose caller was ended goes on, late, once it has had an
// effect: it keeps its names locked, and who uses one of them waits (AwaitName,
// AwaitInode). At its end it compares what stands there with what it was
// planned on, and gives way to what was written or closed since.
//
// No callback runs under any of them.
package media
