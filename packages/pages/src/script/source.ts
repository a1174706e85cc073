/**
 * The optional script of the screens.
 *
 * It submits a form only once, until the page is shown again or eight seconds have passed, and submits a complete
 * pasted code. It focuses the first form's field, or an invalid one, empty ones first, if the device has a mouse.
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
    const invalid = [...document.querySelectorAll('[aria-invalid=true]')]
    const field = invalid.find(({ value }) => !value) ?? invalid[0] ?? document.forms[0]?.querySelector('.input')
    field?.focus({ preventScroll: true })
  }
})()
`
