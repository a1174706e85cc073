/**
 * The optional script of the screens.
 *
 * It submits a form only once, until the page is shown again or eight seconds have passed, and submits a complete
 * pasted code. It focuses the field that the page names, or the first form's, if the device has a mouse. It disables the
 * button that sends another mail for a while, and counts down.
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
    const field = document.querySelector('[autofocus]') ?? document.forms[0]?.querySelector('.input')
    field?.focus({ preventScroll: true })
  }
  const again = document.querySelector('[data-wait]')
  const tick = (label, left) => {
    again.disabled = left > 0
    again.textContent = left > 0 ? label + ' (' + left + ')' : label
    if (left > 0) setTimeout(tick, 1000, label, left - 1)
  }
  if (again) tick(again.textContent, Number(again.dataset.wait))
})()
`
