package manage_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestAColleagueIsInvited goes from the page to the accounts, invites somebody, and opens the link in another browser. An editor finds no way there.
func TestAColleagueIsInvited(t *testing.T) {
	h := open(t)
	b := desk.browser(t)
	b.signIn(h, h.Username, h.Password)
	b.click("#menu summary")
	b.click("a=Accounts")
	b.says("This is you")
	b.typing("form.change [name=account]", "anna")
	b.click("button.main")
	b.says("The link works once, until")
	b.click(".copied button")
	b.until(`document.querySelector('.copied button').disabled`)
	b.picture("invited")
	link := value[string](b, `document.querySelector('[name=link]').value`)
	anna := phone.browser(t)
	anna.do(chromedp.Navigate(link))
	anna.ready()
	require.False(t, value[bool](anna, `Boolean(document.querySelector('[href=accounts]'))`))
	anna.expects("403")
	anna.do(chromedp.Navigate(h.URL + "/manage/accounts"))
	anna.says("Only an administrator manages accounts.")
	b.click("a=Accounts")
	b.until(`document.querySelectorAll('tbody tr').length === 2`)
	b.picture("accounts")
	b.click("summary=Remove …")
	b.says("What it published stays.")
	b.click("button=Remove")
	b.until(`document.querySelectorAll('tbody tr').length === 1`)
	anna.do(chromedp.Navigate(h.URL + "/manage/"))
	anna.until(`document.querySelector('[name=key]')`)
}
