package service

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"io"

	"paperfs/remote"
	"paperfs/remote/service/admission"
	"paperfs/remote/service/answer"
	"paperfs/remote/service/form"
	"paperfs/remote/service/store"
)

// defaultUnadmitted is how many bytes of content the service keeps before good
// credentials arrive.
const defaultUnadmitted = 320 << 20

// pdfMarkArea is how many of the first bytes of content upload keeps in memory.
const pdfMarkArea = 1024

// upload receives the content of a call's bulk field.
type upload struct {
	call     *call
	admitted bool // the credentials came first and are good
	draft    store.Draft
	sum      *[sha256.Size]byte // of draft, if it is known before the content; else nil
	hashing  *hashingWriter     // of draft; nil before open and where there is no draft
	size     int64
	most     int64  // bytes; 0 = no limit
	byQuota  *int64 // most bytes by the tenant's quota; nil = no limit
	head     []byte // the first bytes, up to pdfMarkArea
	// failed is why the content could not be kept. Without credentials the service reads
	// on: it answers with a failure of the credentials first.
	failed error
	// conflict is why ifVersion does not hold; content of more than standing bytes is then not what
	// stands already.
	conflict error
	standing int64
	slot     admission.Slot // for content on the disk before the credentials
}

// open begins the content. form.Options.Open says when it is called again.
func (u *upload) open(seen *form.Form) (io.Writer, error) {
	var err error
	u.call.form = seen
	if u.call.boundary != "" { // no parameter follows
		if _, err := u.call.checkPresence(); err != nil {
			return nil, err
		}
	}
	if pair, ok := u.call.pairSeen(); ok {
		if err := u.call.admit(pair); err != nil {
			return nil, err
		}
		u.admitted = true
		if u.byQuota, err = u.call.mediaLimit(); err != nil {
			return nil, err
		}
		if err := u.judge(); err != nil {
			return nil, err
		}
	}
	u.size, u.head = 0, u.head[:0]
	if u.draft == nil {
		if err := u.holdMemory(); err != nil {
			return nil, err
		}
		u.draft, u.sum, err = u.call.service.create(u.call.ctx())
	} else {
		_ = u.hashing.end() // the content begins again
		err = u.draft.Restart()
	}
	if u.hashing = newHashingWriter(u.draft); u.sum != nil {
		u.hashing.sum = known(*u.sum)
	}
	u.hashing.inline = !u.admitted
	u.slot.Shrink()
	return u, u.fail(err)
}

// judge refuses content, before it is received, for which ifVersion does not hold. Content that is
// here soon is judged by the change alone.
func (u *upload) judge() error {
	o, err := u.call.condition()
	if length := u.call.request.ContentLength; err != nil || !o.sent || length >= 0 && length <= rememberedBody {
		return err
	}
	u.conflict, u.standing, err = u.call.standing(u.call, o)
	if err == nil && u.standing < 0 {
		err = u.conflict
	}
	return err
}

// holdMemory counts the memory of the content of a stranger, which is taken at its begin.
func (u *upload) holdMemory() error {
	if u.admitted {
		return nil
	}
	return u.call.share.Hold(&u.call.service.strangers, store.SmallContent)
}

// end returns when the draft has all content.
func (u *upload) end() error {
	if u.hashing == nil {
		return nil
	}
	return u.fail(u.hashing.end())
}

func (u *upload) fail(err error) error {
	if err == nil || u.admitted {
		return err
	}
	if u.failed == nil {
		u.failed = err
	}
	return nil
}

func (u *upload) Write(p []byte) (int, error) {
	u.size += int64(len(p))
	if err := u.strange(); err != nil {
		return 0, err
	}
	if u.conflict != nil && u.size > u.standing {
		return 0, u.conflict
	}
	if u.failed == nil {
		// The service reads past the rest, so that its sender sees the answer.
		u.failed = u.tooLong()
	}
	if u.failed != nil {
		return len(p), nil
	}
	u.head = append(u.head, p[:min(len(p), pdfMarkArea-len(u.head))]...)
	if _, err := u.hashing.Write(p); err != nil {
		if err := u.fail(err); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// tooLong returns the refusal of a file that is too large; nil for others.
func (u *upload) tooLong() error {
	switch {
	case u.byQuota != nil && u.size > *u.byQuota:
		return answer.Full(remote.FullQuota, "The media quota of %d bytes has no room for this: the file has more than %d.", *u.call.tenant.Quota.MediaBytes, *u.byQuota)
	case u.most > 0 && u.size > u.most:
		return answer.Invalid("The file is larger than %d bytes, which is the limit.", u.most)
	}
	return nil
}

// strange refuses content without credentials that passes the bounds of strangers.
func (u *upload) strange() error {
	if u.admitted {
		return nil
	}
	if most := u.call.service.unadmitted; u.size > most {
		return admission.TooEarly("Send the credentials before the content, or at most %d bytes.", most)
	}
	if u.size <= store.SmallContent {
		return nil
	}
	return u.slot.Hold(&u.call.service.strangers, u.call.request, u.size)
}

// fault returns why the content cannot be kept; nil if it can.
func (u *upload) fault() error {
	if err := cmp.Or(u.failed, u.call.malformed()); err != nil {
		return err
	}
	if _, err := u.call.form.Bulk(); err != nil {
		return answer.Invalid("%s is not valid base64 (standard alphabet, padded; percent-encode + / and = in a form): %v.", u.call.op.Bulk, err)
	}
	return nil
}

// commit makes the content durable and returns its record.
func (u *upload) commit() (f store.File, err error) {
	if err := u.fault(); err != nil {
		return f, err
	}
	f = u.measured()
	f.Content, err = u.draft.Commit()
	return f, err
}

// measured returns the record of the content without the content.
func (u *upload) measured() (f store.File) {
	f.Size = u.size
	u.hashing.sum.Sum(f.SHA256[:0])
	return f
}

// commitLarge returns the record of the content. It commits only content that is too
// large for the record itself.
func (u *upload) commitLarge() (f store.File, err error) {
	if err := u.fault(); err != nil {
		return f, err
	}
	small, err := u.draft.Small()
	if err != nil {
		return f, err
	}
	if small == nil {
		return u.commit()
	}
	f = u.measured()
	f.Small = small
	return f, nil
}

func (u *upload) discard() {
	u.slot.Release()
	if u.draft != nil {
		_ = u.hashing.end()
		u.draft.Discard()
	}
}

// forget removes the content of an upload whose change was refused. It keeps the content
// after any other failure: the change may be on the disk nevertheless; if it is not, the
// next start sweeps the content.
func (c *call) forget(file store.File, failed error) {
	if refused := (*answer.Fault)(nil); errors.As(failed, &refused) {
		c.service.drop(c.tenant.ID, file.Content)
	}
}

// mediaLimit returns the size of the largest file that the quota can allow, whatever the
// file replaces; nil for no limit. It returns nil for a caller that is only remembered,
// too, because its quota may have changed: the change checks it.
func (c *call) mediaLimit() (most *int64, err error) {
	quota := c.tenant.Quota.MediaBytes
	if quota == nil || c.op != remote.UploadFile || c.unconfirmed {
		return nil, nil
	}
	err = c.read(func(tx store.Reader) error {
		used, err := tx.Usage(c.tenant.ID, c.service.now())
		most = new(max(*quota, used.MediaBytes))
		return err
	})
	return most, err
}
