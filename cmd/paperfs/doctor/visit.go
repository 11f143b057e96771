package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"paperfs/cmd/paperfs/config"
	"paperfs/cmd/paperfs/isolate"
	"paperfs/cmd/paperfs/serving"
	"paperfs/fs/control"
	"paperfs/fs/mountpoint"
)

// visit is one run of doctor.
type visit struct {
	config    *config.Config
	unsettled error  // why the settings are unusable
	dir       string // the mount point, absolute; "" if none was given
	mount     mountpoint.Mount
	status    *control.Status // of the mount; nil if it does not answer
	silent    error           // why it does not answer, if known
	profile   string          // of the mounted account, if it has one
	near      string          // otherwise a profile of the same service
}

// at sets the mount point. A mount there determines the service.
func (v *visit) at(path string) error {
	m, err := serving.At(path)
	if errors.Is(err, mountpoint.ErrNone) {
		v.dir, err = filepath.Abs(path)
		return err
	}
	if err != nil {
		return err
	}
	v.dir, v.mount = m.Dir, m
	asked := make(chan error, 1)
	var text bytes.Buffer
	go func() { asked <- isolate.Run(m, []string{"status", "--json", m.Dir}, &text, io.Discard) }()
	select {
	case err = <-asked:
	case <-time.After(3 * isolate.Silence):
		err = mountpoint.Silent(m.Dir, 3*isolate.Silence)
	}
	if errors.Is(err, mountpoint.ErrSilent) {
		v.silent = err
	}
	if err != nil {
		return nil // Stale reports it
	}
	v.status = &control.Status{}
	return json.Unmarshal(text.Bytes(), v.status)
}

func sameService(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }
