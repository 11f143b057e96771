package apitest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paperfs/remote"
	"paperfs/remote/rules"
	"paperfs/remote/service"
	"paperfs/remote/service/store"
	"paperfs/remote/service/webhook"
	"paperfs/remote/testrun"
)

// TestARemovedTenantIsNotTold removes a tenant for whose webhook an event waits.
func TestARemovedTenantIsNotTold(t *testing.T) {
	t.Parallel()
	s, c := startMoving(t)
	acme := s.tenantNamed("acme")
	r, theirs := startReceiver(t), startReceiver(t)
	s.hook(r, store.HookPublished)
	w := testrun.Must(s.admin().AddWebhook("acme", theirs.http.URL, []string{store.HookChanged}, true))(t)
	theirs.secret = w.Secret
	theirs.sets(func(webhook.Message, int) int { return 500 })
	acme.paper(acme.root(), "p")
	s.until(func() bool {
		all, err := s.admin().Webhooks("acme")
		return err == nil && len(all[0].Waiting) == 1
	})
	theirs.sets(nil)
	require.NoError(t, s.admin().RemoveTenant("acme"))
	c.move(time.Hour)
	paper := s.made("ours")
	s.until(func() bool { return len(r.of(paper)) == 1 })
	require.Empty(t, theirs.all())
	_, err := s.admin().Webhooks("acme")
	require.ErrorContains(t, err, "no tenant acme")
	s.sound()
}

// TestARemovedWebhookIsNotTold removes a webhook, and adds another one later.
func TestARemovedWebhookIsNotTold(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := startReceiver(t)
	id := s.hook(r, store.HookPublished, store.HookUnpublished)
	paper := s.made("p")
	s.until(func() bool { return len(r.events()) == 1 })
	require.ErrorContains(t, s.admin().RemoveWebhook("default", id+1), "no webhook")
	s.tenantNamed("acme")
	_, err := s.admin().RetryWebhook("acme", id)
	require.ErrorContains(t, err, "no webhook", "it is another tenant's")
	require.ErrorContains(t, s.admin().TestWebhook(t.Context(), "acme", id), "no webhook", "it is another tenant's")
	require.NoError(t, s.admin().RemoveWebhook("default", id))
	s.period(paper, past...)
	require.NotEqual(t, id, s.hook(r, store.HookPublished, store.HookUnpublished))
	s.must(remote.ClearPublicationPeriod, "paperID", paper)
	s.until(func() bool { return len(r.events()) == 2 })
	require.Equal(t, []string{"published", "published"}, r.of(paper), "nothing of the time between")
}

// TestARestoredCopySendsNothingOld restores a backup for whose webhook an event waits.
func TestARestoredCopySendsNothingOld(t *testing.T) {
	t.Parallel()
	var c *movingClock
	s := inFiles(t, func(o *service.Options) { c = movedBy(o) })
	r := startReceiver(t)
	s.hook(r, store.HookPublished, store.HookUnpublished)
	paper := s.made("p")
	s.until(func() bool { return len(r.events()) == 1 })
	s.period(paper, "from", rules.FormatTime(clock.Add(-time.Hour)), "to", rules.FormatTime(clock.Add(time.Hour)))
	r.sets(func(webhook.Message, int) int { return 500 })
	other := s.made("other")
	s.until(func() bool { w, _ := s.waiting(); return len(w) == 1 })
	backup := filepath.Join(t.TempDir(), "backup")
	s.backup(backup)
	r.sets(nil) // first: an attempt that fails after the move would wait for another
	c.move(2 * time.Hour)
	s.until(func() bool { return len(r.events()) == 3 })
	require.Equal(t, []string{"unpublished"}, r.of(paper)[1:])
	s.close()

	data := filepath.Join(t.TempDir(), "restored")
	require.NoError(t, os.CopyFS(data, os.DirFS(backup)))
	again := inFiles(t, func(o *service.Options) { o.Data, o.Now = data, c.now })
	last := again.made("last")
	again.until(func() bool { return len(r.of(last)) == 1 })
	waiting, _ := again.waiting()
	require.Empty(t, waiting)
	require.Len(t, r.events(), 4, "neither what waited nor the period that ended meanwhile")
	require.Equal(t, []string{"published"}, r.of(other))
	again.sound()
	again.backup(filepath.Join(t.TempDir(), "another"))
}

// TestARestoredCopySendsNothingThatWasUnread restores a backup with events that the webhook's sender had not read yet.
func TestARestoredCopySendsNothingThatWasUnread(t *testing.T) {
	t.Parallel()
	s := inFiles(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished)
	asked, release := make(chan struct{}, 100), make(chan struct{})
	r.sets(func(webhook.Message, int) int {
		asked <- struct{}{}
		<-release
		return 200
	})
	s.made("held")
	<-asked
	unread := s.made("unread")
	backup := filepath.Join(t.TempDir(), "backup")
	s.backup(backup)
	close(release)
	s.until(func() bool { return len(r.of(unread)) == 1 })
	s.close()
	again := inFiles(t, func(o *service.Options) { o.Data = backup })
	last := again.made("last")
	again.until(func() bool { return len(r.of(last)) == 1 })
	require.Len(t, r.all(), 3, "the service that was copied has told the others")
}

// TestTheLogIsKeptForAWebhook cuts the log of changes while a webhook is not told.
func TestTheLogIsKeptForAWebhook(t *testing.T) {
	t.Parallel()
	s := start(t)
	r := startReceiver(t)
	s.hook(r, store.HookPublished)
	asked, release := make(chan struct{}, 100), make(chan struct{})
	r.sets(func(webhook.Message, int) int {
		asked <- struct{}{}
		<-release
		return 200
	})
	s.made("first")
	s.until(func() bool { return len(asked) == 1 })
	s.made("second")
	s.made("third")
	s.inside().CutEvents(time.Now().Add(time.Hour))
	close(release)
	<-asked
	r.sets(nil)
	s.until(func() bool { return len(r.events()) == 3 })
}
