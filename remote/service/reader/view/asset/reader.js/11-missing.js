// Pictures that fail to load.
for (const all of [main, thumbs]) {
  all.addEventListener('error', /** @param {Event} event */ event => {
    const img = /** @type {HTMLImageElement} */ (event.target)
    img.classList.add('lost') // a browser would show that it is broken
    import('./again.js').then(a => a.failed(img), () => { /* the script fails to load, too */ })
  }, true)
  all.addEventListener('load', /** @param {Event} event */ event => /** @type {Element} */ (event.target).classList.remove('lost'), true)
}

// Without a connection, the reader is told, and what is missing is asked for again once it is back.
const offline = document.createElement('p')
offline.className = 'note'
offline.lang = element('place').parentElement.lang
offline.setAttribute('role', 'status')
addEventListener('offline', () => {
  main.before(offline)
  offline.textContent = element('place').dataset.offline
})
addEventListener('online', () => {
  offline.remove()
  for (const img of main.querySelectorAll('img')) if (img.complete && img.currentSrc && !img.naturalWidth) img.srcset = img.srcset
  pictures.show()
})

// Text that was not sent with the pictures is loaded when its page is shown, and when the
// reader may be about to use the browser's own search.
const texts = () => main.querySelector('.later') && import('./text.js').then(t => t.load()).catch(() => { /* a later use requests it again */ })
paging.onTurn(numbers => { if (numbers.some(n => paging.page(n)?.querySelector('.later'))) texts() })
addEventListener('keydown', event => { if (event.key === 'F3' || (event.ctrlKey || event.metaKey) && /^[fg]$/.test(event.key)) texts() })
addEventListener('blur', () => { if (!document.hidden) texts() }) // the browser's own bar may have the focus

// Views are counted once the page is loaded, except for previews.
if (main.hasAttribute('data-count')) {
  if (document.readyState === 'complete') import('./hit.js')
  else addEventListener('load', () => import('./hit.js'), {once: true})
}

paging.start()
root.classList.add('ready')

// The phrase that the address asks to mark.
const phrase = new URL(location.href).searchParams.get('Highlight')
if (phrase && pages.length) wanted(search()).then(s => s?.highlight(phrase))
