/**
 * What runs in a browser that lets it: nothing that a page needs.
 *
 * A form is sent once, until the page is shown again or eight seconds have passed. A whole code that is pasted is sent.
 * Where the first form has a field, or one is wrong, a visitor with a mouse may type at once.
 */
export const source: string = `(() => {
  const free = (form) => { delete form.dataset.sent }
  addEventListener('submit', (event) => {
    const form = event.target
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'true'
    setTimeout(free, 8000, form)
  })
  addEventListener('pageshow', () => [...document.forms].forEach(free))
  const code = document.getElementById('input-code')
  code?.addEventListener('paste', () => setTimeout(() => {
    const letters = code.value.replace(/[\\s-]/g, '')
    if (/^[a-z]+$/i.test(letters) && letters.length === Number(code.dataset.letters)) code.form.requestSubmit()
  }))
  if (matchMedia('(hover: hover) and (pointer: fine)').matches) {
    const field = document.querySelector('[aria-invalid=true]') ?? document.forms[0]?.querySelector('.input')
    field?.focus({ preventScroll: true })
  }
})()
`
