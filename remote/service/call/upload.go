package call

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

// PDFMarkArea is how many of the first bytes of content upload keeps in memory.
const PDFMarkArea = 1024

// Upload receives the content of a call's bulk field.
type Upload struct {
	call     *Call
	admitted bool // the credentials came first and are good
	draft    store.Draft
	sum      *[sha256.Size]byte // of draft, if it is known before the content; else nil
	hashing  *hashingWriter     // of draft; nil before open and where there is no draft
	Size     int64
	most     int64  // bytes; 0 = no limit
	byQuota  *int64 // most bytes by the tenant's quota; nil = no limit
	Head     []byte // the first bytes, up to PDFMarkArea
	// Failed is why the content could not be kept. Without credentials the service reads
	// on: it answers with a failure of the credentials first.
	Failed error
	// conflict is why ifVersion does not hold; content of more than standing bytes is then not what
	// stands already.
	conflict error
	standing int64
	slot     admission.Slot // for content on the disk before the credentials
}

// open begins the content. form.Options.Open says when it is called again.
func (u *Upload) open(seen *form.Form) (io.Writer, error) {
	var err error
	u.call.Form = seen
	if u.call.boundary != "" { // no parameter follows
		if _, err := u.call.checkPresence(); err != nil {
			return nil, err
		}
	}
	if pair, ok := u.call.pairSeen(); ok || u.call.signedIn != nil { // the token comes before the file
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
	u.Size, u.Head = 0, u.Head[:0]
	if u.draft == nil {
		if err := u.holdMemory(); err != nil {
			return nil, err
		}
		u.draft, u.sum, err = u.call.Service.create(u.call.Context())
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
func (u *Upload) judge() error {
	o, err := u.call.Condition()
	if length := u.call.Request.ContentLength; err != nil || !o.Sent || length >= 0 && length <= rememberedBody {
		return err
	}
	u.conflict, u.standing, err = u.call.standing(u.call, o)
	if err == nil && u.standing < 0 {
		err = u.conflict
	}
	return err
}

// holdMemory counts the memory of the content of a stranger, which is taken at its begin.
func (u *Upload) holdMemory() error {
	if u.admitted {
		return nil
	}
	return u.call.share.Hold(&u.call.Service.Strangers, store.SmallContent)
}

// end returns when the draft has all content.
func (u *Upload) end() error {
	if u.hashing == nil {
		return nil
	}
	return u.fail(u.hashing.end())
}

func (u *Upload) fail(err error) error {
	if err == nil || u.admitted {
		return err
	}
	if u.Failed == nil {
		u.Failed = err
	}
	return nil
}

func (u *Upload) Write(p []byte) (int, error) {
	u.Size += int64(len(p))
	if err := u.strange(); err != nil {
		return 0, err
	}
	if u.conflict != nil && u.Size > u.standing {
		return 0, u.conflict
	}
	if u.Failed == nil {
		// The service reads past the rest, so that its sender sees the answer.
		u.Failed = u.tooLong()
	}
	if u.Failed != nil {
		return len(p), nil
	}
	u.Head = append(u.Head, p[:min(len(p), PDFMarkArea-len(u.Head))]...)
	if _, err := u.hashing.Write(p); err != nil {
		if err := u.fail(err); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// tooLong returns the refusal of a file that is too large; nil for others.
func (u *Upload) tooLong() error {
	switch {
	case u.byQuota != nil && u.Size > *u.byQuota:
		return answer.Full(remote.FullQuota, "The media quota of %d bytes has no room for this: the file has more than %d.", *u.call.Tenant.Quota.MediaBytes, *u.byQuota)
	case u.most > 0 && u.Size > u.most:
		return answer.Invalid("The file is larger than %d bytes, which is the limit.", u.most)
	}
	return nil
}

// strange refuses content without credentials that passes the bounds of strangers.
func (u *Upload) strange() error {
	if u.admitted {
		return nil
	}
	if most := u.call.Service.Unadmitted; u.Size > most {
		return admission.TooEarly("Send the credentials before the content, or at most %d bytes.", most)
	}
	if u.Size <= store.SmallContent {
		return nil
	}
	return u.slot.Hold(&u.call.Service.Strangers, u.call.Request, u.Size)
}

// Fault returns why the content cannot be kept; nil if it can.
func (u *Upload) Fault() error {
	if err := cmp.Or(u.Failed, u.call.Malformed()); err != nil {
		return err
	}
	if _, err := u.call.Form.Bulk(); err != nil {
		return answer.Invalid("%s is not valid base64 (standard alphabet, padded; percent-encode + / and = in a form): %v.", u.call.op.Bulk, err)
	}
	return nil
}

// Commit makes the content durable and returns its record.
func (u *Upload) Commit() (f store.File, err error) {
	if err := u.Fault(); err != nil {
		return f, err
	}
	f = u.Measured()
	f.Content, err = u.draft.Commit()
	return f, err
}

// Measured returns the record of the content without the content.
func (u *Upload) Measured() (f store.File) {
	f.Size = u.Size
	u.hashing.sum.Sum(f.SHA256[:0])
	return f
}

// CommitLarge returns the record of the content. It commits only content that is too
// large for the record itself.
func (u *Upload) CommitLarge() (f store.File, err error) {
	if err := u.Fault(); err != nil {
		return f, err
	}
	small, err := u.draft.Small()
	if err != nil {
		return f, err
	}
	if small == nil {
		return u.Commit()
	}
	f = u.Measured()
	f.Small = small
	return f, nil
}

func (u *Upload) discard() {
	u.slot.Release()
	if u.draft != nil {
		_ = u.hashing.end()
		u.draft.Discard()
	}
}

// Forget removes the content of an upload whose change was refused. It keeps the content
// after any other failure: the change may be on the disk nevertheless; if it is not, the
// next start sweeps the content.
func (c *Call) Forget(file store.File, failed error) {
	if refused := (*answer.Fault)(nil); errors.As(failed, &refused) {
		c.Service.Drop(c.Tenant.ID, file.Content)
	}
}

// mediaLimit returns the size of the largest file that the quota can allow, whatever the
// file replaces; nil for no limit. It returns nil for a caller that is only remembered,
// too, because its quota may have changed: the change checks it.
func (c *Call) mediaLimit() (most *int64, err error) {
	quota := c.Tenant.Quota.MediaBytes
	if quota == nil || c.op != remote.UploadFile || c.unconfirmed {
		return nil, nil
	}
	err = c.Read(func(tx store.Reader) error {
		used, err := tx.Usage(c.Tenant.ID, c.Service.Now())
		most = new(max(*quota, used.MediaBytes))
		return err
	})
	return most, err
}
