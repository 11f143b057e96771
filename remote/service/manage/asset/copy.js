// @ts-check
// Copies what a document shows once.

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.copied button'))) {
  const field = /** @type {HTMLInputElement} */ (button.parentElement.querySelector('input'))
  button.hidden = false
  button.addEventListener('click', async () => {
    field.select()
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value)
    else document.execCommand('copy')
    button.textContent += ' ✓'
    button.disabled = true
  })
}
