/**
 * The script of the page with the code for a new address: it disables the button that sends another mail for the seconds that its
 * attribute states, and counts down, as the page of a sign-in code does.
 */
export const script: string = `(() => {
  const again = document.querySelector('[data-wait]')
  const tick = (label, left) => {
    again.disabled = left > 0
    again.textContent = left > 0 ? label + ' (' + left + ')' : label
    if (left > 0) setTimeout(tick, 1000, label, left - 1)
  }
  if (again) tick(again.textContent, Number(again.dataset.wait))
})()
`
