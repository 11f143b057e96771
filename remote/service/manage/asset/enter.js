// @ts-check
// The sign-in page: redeems the link whose secret is in the fragment, and asks again for what another origin led to.

const form = /** @type {HTMLFormElement} */ (document.querySelector('#link'))
const secret = new URLSearchParams(location.hash.slice(1)).get('once')
if (secret) {
  history.replaceState(null, '', location.pathname)
  form.elements.namedItem('link').value = secret
  document.querySelector('#opening').hidden = false
  form.submit()
} else if (document.body.hasAttribute('data-again')) {
  location.replace(location.pathname + location.search)
}
