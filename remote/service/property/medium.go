package property

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// media has how the names of files end that browsers show.
var media = map[string]string{"image": ".png .jpg .jpeg .gif .webp .avif .svg", "video": ".mp4 .webm .ogv", "audio": ".mp3 .m4a .ogg .oga .opus .wav"}

// Medium returns what a file is by the end of its name: image, video or audio; "" for what browsers do not show.
func Medium(name string) string {
	for kind, ends := range media {
		if slices.Contains(strings.Fields(ends), strings.ToLower(path.Ext(name))) {
			return kind
		}
	}
	return ""
}

// MediumAt returns what is at an address or path by its end, and the host, as the setting mediaHosts names it; "" for a path,
// and if the host is not asked by https.
func MediumAt(address string) (kind, host string) {
	u, err := url.Parse(address)
	if err != nil || !strings.Contains(address, "://") { // names of files may have colons
		return Medium(address), ""
	}
	if u.Scheme == "https" && u.User == nil {
		host, _ = idna.Punycode.ToASCII(strings.ToLower(u.Host))
	}
	return Medium(u.Path), host
}

const mediaFragment = `<media width="%d"/>`

// MediaFragment returns the parameter of a link whose target is shown over the page, at most so many pixels wide; 0 for any.
func MediaFragment(width int) string { return fmt.Sprintf(mediaFragment, width) }

// ParseMediaFragment reads the parameter of a link. It returns false if it is not a MediaFragment.
func ParseMediaFragment(text string) (width int, ok bool) {
	_, err := fmt.Sscanf(text, mediaFragment, &width)
	return width, err == nil
}
