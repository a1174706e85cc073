/**
 * The optional script of screens with a password: it adds a button to each, which shows it while it is pressed. The label is an
 * attribute of the script. A form is sent, and a page is shown again, with a hidden password: browsers store what is typed as text.
 */
export const showPasswords: string = `{
  const label = document.currentScript?.dataset.showPassword
  for (const input of label ? document.querySelectorAll('.secret>input') : []) {
    const button = document.createElement('button')
    const show = (isShown) => {
      input.type = isShown ? 'text' : 'password'
      button.setAttribute('aria-pressed', isShown)
    }
    button.type = 'button'
    button.className = 'show-password'
    button.title = label
    button.setAttribute('aria-label', label)
    button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/><path class="slash" d="M4 20 20 4"/></svg>'
    button.addEventListener('click', () => show(input.type === 'password'))
    input.form?.addEventListener('submit', () => show(false))
    addEventListener('pageshow', () => show(false))
    show(false)
    input.after(button)
  }
}
`
