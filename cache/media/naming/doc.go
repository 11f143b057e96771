// Package naming changes names for programs: it creates, renames and removes.
//
// A change of a name at the service locks the name, cancels what is queued under it, looks whether others have changed it, and then
// asks the service (change). renameplan plans a rename, with package plan, before anything is done; what it may ask of the service is
// in the table of package media.
package naming
