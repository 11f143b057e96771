// Package mount has the commands paperfs mount and paperfs umount.
//
// [NewCommand] checks the configuration and opens the account: its state, the embedded
// service, the client and the caches, which it closes in reverse order. Then it mounts, and
// serves the mount until it is unmounted. With --daemon, the command runs itself again in a
// background process. [NewUmountCommand] unmounts, and waits for that process.
//
// A follower holds one request at a service that tells of changes. It has two states; the trees age by
// --tree-ttl when it polls. The mark moves only after the mount has taken in the news before it. The next mount begins
// with it. A tree counts from a mark on that was taken before the tree was asked for: with the first mark, trees are fetched again.
//
//	state   next request               answer              failure
//	polls   at once answered, if the   told                a pause, doubled each time; polls
//	        service offers events
//	told    held up to 55 s            takes the news in,  asked again, at once answered: told,
//	                                   pauses; told        or, after a second failure, polls
//
// What is told of single things goes into the trees that were there when the request began. If a tree is another one
// since, by the mount's own changes or a fetch, nobody knows which of the two is newer, and it is fetched.
//
// News that do not say what changed (a lost mark, too many changes) come to all mounts of a service at once, so each
// takes them in after a random time of up to a second. News of single changes are taken in at once.
//
// No lock is held while a tree is fetched, and the kernel is told by the trees' own notices.
package mount
