// The basket, if products can be ordered. Its script is loaded on demand, or if this browser
// has a basket.
const basket = () => import('./basket.js')
function shop() {
  const cart = element('cart'), {paper} = element('basket').dataset, {put} = JSON.parse(element('basket').querySelector('script').textContent)
  for (const b of main.querySelectorAll('.item button')) b.textContent = put
  cart.hidden = false
  cart.addEventListener('click', async () => (await wanted(basket()))?.look())
  document.addEventListener('submit', event => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (!form.closest('.item')) return
    event.preventDefault()
    basket().then(b => b.put(form), () => form.submit()) // if the script fails to load, the form itself orders
  })
  addEventListener('storage', event => { if (event.key === 'basket-' + paper) basket() })
  try {
    if (localStorage.getItem('basket-' + paper)) basket()
  } catch { /* storage is not allowed */ }
}
if (element('basket')) shop()
