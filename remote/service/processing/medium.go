package processing

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"paperfs/remote/rules"
	"paperfs/remote/service/property"
	"paperfs/remote/service/reader"
	"paperfs/remote/service/store"
)

// medium turns l into a link that shows what is at an address, which is in a column of the table: a path in the media
// library, or on a host that the paper's setting mediaHosts names. It reports false, and notes the problem, if the reader
// would not show it.
func (e *enrichment) medium(l store.Link, p property.Product, column, address string) (store.Link, bool) {
	refuse := func(why string, args ...any) (store.Link, bool) {
		e.problem("Page %d: the %s %q of %q "+why, append([]any{l.Page, column, address, p.ID}, args...)...)
		return l, false
	}
	width, ok := rules.ID(strings.TrimSuffix(p.PopupWidth, "px"))
	if !ok && p.PopupWidth != "" {
		e.problem("Page %d: the PopupFrameMaxWidth %q of %q is not a number of pixels.", l.Page, p.PopupWidth, p.ID)
	}
	l.LinkType, l.URL, l.Param = "url", address, property.MediaFragment(int(width))
	kind, host := property.MediumAt(address)
	path, isPath := strings.TrimPrefix(strings.TrimPrefix(address, "/"), "media/"), !strings.Contains(address, "://")
	if kind == "" || !isPath && host == "" {
		return refuse("is no picture, film or sound that the reader shows, such as a .jpg, .mp4 or .mp3 (with https:// if it is on another host). It never shows pages of other sites: link to them with ExternalLink and Url.")
	}
	err := e.store.Read(context.Background(), func(tx store.Reader) error {
		if isPath {
			file, err := reader.FileAt(tx, e.work.Tenant, path)
			l.LinkType, l.URL, l.FileID = "file", "", strconv.FormatInt(file.ID, 10)
			return err
		}
		setting, _ := property.FindSetting("mediaHosts")
		hosts, err := setting.Value(tx, e.work.Paper)
		if err == nil && !slices.Contains(strings.Fields(hosts), host) {
			return store.ErrNotFound
		}
		return err
	})
	switch {
	case err == nil:
		return l, true
	case !store.IsNotFound(err):
		e.failed = err
	case isPath:
		return refuse("is not in the media library. Copy the file to media/%s, and send the PDF again.", path)
	}
	return refuse("is on a host that the setting mediaHosts does not name. Add %s to it, or copy the file to media/, and send the PDF again.", host)
}
