import { changeEmail, confirmEmail, type EmailState, getEmail } from '@postern/react/account'
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from 'react'

const problems: Readonly<Record<string, string>> = {
  emailInvalid: 'This is no valid address.',
  emailSame: 'This is your address already.',
  emailCodeWrong: 'This code is wrong.',
  gone: 'This code no longer works. Start again.',
  taken: 'Somebody else has this address.',
  delayed: 'You removed a way to sign in. The address can be changed 7 days later.'
}

/** Changes the email address, with a code that is mailed to the new one. Users of the credentials form have none. */
export function Email(): ReactElement | null {
  const [state, setState] = useState<EmailState | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const load = useCallback(async () => setState(await getEmail()), [])
  useEffect(() => void load(), [load])
  if (!state?.canChange) return null

  const change = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const { ok, error } = await changeEmail({ email: String(fields.get('email')) })
    setMessage(ok ? null : (problems[error ?? ''] ?? error))
    await load()
  }
  const confirm = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const { ok, error } = await confirmEmail({ code: String(fields.get('code')) })
    setMessage(ok ? 'Your address has been changed.' : (problems[error ?? ''] ?? error))
    await load()
  }
  return (
    <section aria-labelledby="email">
      <h2 id="email">Your email address</h2>
      <p>{state.email ?? 'None'}</p>
      <form onSubmit={change}>
        <input name="email" type="email" aria-label="New address" required />
        <button type="submit">Send a code</button>
      </form>
      {state.pending && (
        <form onSubmit={confirm}>
          <label htmlFor="code">The code that was mailed to {state.pending}</label>
          <input id="code" name="code" autoComplete="one-time-code" required />
          <button type="submit">Change my address</button>
        </form>
      )}
      {message && <p role="status">{message}</p>}
    </section>
  )
}
