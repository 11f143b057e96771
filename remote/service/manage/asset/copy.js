// @ts-check
// Copies what a document shows once.

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.copied button'))) {
  const field = /** @type {HTMLInputElement} */ (button.parentElement.querySelector('input'))
  button.hidden = false
  button.addEventListener('click', () => {
    field.select()
    document.execCommand('copy') // needs neither a permission nor https
    button.textContent += ' ✓'
    button.disabled = true
  })
}
