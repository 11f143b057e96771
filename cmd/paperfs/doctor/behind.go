package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"paperfs/fs/control"
	"paperfs/fs/mountpoint"
	"paperfs/remote/shellword"
)

// behind checks the service behind a mount with the mount's own credentials: it looks up an address that nothing has, for which the mount
// asks the service once, and then reads in the status what came of it. A mount that does not answer is another check's.
func behind(m mountpoint.Mount) Check {
	return Check{Name: "service", Limit: staleLimit, Look: func(context.Context) []Finding {
		if serves(m) != nil {
			return nil
		}
		s, err := statusOf(m.Dir)
		if err == nil && s.Service.Data == "" {
			_, _ = os.Lstat(filepath.Join(m.Dir, "by-url", "doctor-"+strconv.FormatInt(time.Now().UnixNano(), 36)))
			s, err = statusOf(m.Dir)
		}
		dir := shellword.Quote(m.Dir)
		switch of := s.Service; {
		case err != nil:
			return []Finding{warning("", "what %s says of its service cannot be read: %v", m.Dir, err)}
		case of.Data != "":
			return []Finding{fine("the embedded one, data in %s", of.Data)}
		case of.Refused != "":
			return []Finding{failure("Put the right password where the mount takes it from (a profile: paperfs config set NAME), and mount again: paperfs umount "+dir,
				"%s refuses the account of %s: %s", of.URL, m.Dir, of.Refused).of("credentials")}
		case of.Trouble != "" || of.AwaySince != nil:
			return []Finding{failure("Run: paperfs status "+dir, "%s does not answer %s: %s", of.URL, m.Dir, of.Trouble).of("connection")}
		}
		return []Finding{fine("%s accepts the account of %s", s.Service.URL, m.Dir).of("credentials")}
	}}
}

func statusOf(dir string) (s control.Status, err error) {
	text, err := os.ReadFile(filepath.Join(dir, ".paperfs", "status"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}
