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
		_, _ = os.Lstat(filepath.Join(m.Dir, "by-url", "doctor-"+strconv.FormatInt(time.Now().UnixNano(), 36)))
		text, err := os.ReadFile(filepath.Join(m.Dir, ".paperfs", "status"))
		var s control.Status
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		dir := shellword.Quote(m.Dir)
		switch of := s.Service; {
		case err != nil:
			return []Finding{warning("", "what %s says of its service cannot be read: %v", m.Dir, err)}
		case of.Refused != "":
			return []Finding{failure("Put the right password where the mount takes it from (a profile: paperfs config set NAME), and mount again: paperfs umount "+dir,
				"%s refuses the account of %s: %s", of.URL, m.Dir, of.Refused).of("credentials")}
		case of.Trouble != "" || of.AwaySince != nil:
			return []Finding{failure("Run: paperfs status "+dir, "%s does not answer %s: %s", of.URL, m.Dir, of.Trouble).of("connection")}
		}
		return []Finding{fine("%s accepts the account of %s", s.Service.URL, m.Dir).of("credentials")}
	}}
}
