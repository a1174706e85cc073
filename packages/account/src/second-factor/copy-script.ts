/**
 * The script of the pages with a key or with recovery codes: it shows the buttons that copy and print, where the browser can. A copied
 * text is said by the button, which screen readers read again.
 */
export const script: string = `(() => {
  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!navigator.clipboard) break
    const label = button.textContent
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = button.dataset.copied
      setTimeout(() => { button.textContent = label }, 4000)
    })
  }
  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
})()
`
