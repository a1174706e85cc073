import { cancelEmailChange, changeEmail, confirmEmail, type EmailState, getEmail } from '@postern/react/account'
import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from 'react'

const problems: Readonly<Record<string, string>> = {
  emailInvalid: 'This is no valid address.',
  emailSame: 'This is your address already.',
  emailCodeWrong: 'This code is wrong.',
  gone: 'This code no longer works. Start again.',
  taken: 'Somebody else has this address.'
}

/**
 * Changes the email address, with a code that is mailed to the new one. The change waits until the link in the mail to the current
 * address is opened, or for seven days. Users of the credentials form have none.
 */
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
    setMessage(ok ? null : (problems[error ?? ''] ?? error))
    await load()
  }
  const cancel = async (): Promise<void> => {
    const { ok, error } = await cancelEmailChange()
    setMessage(ok ? 'Your address stays.' : error)
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
      {state.waiting && (
        <p>
          It becomes {state.waiting.email} when you open the link in the mail to {state.email}, or on{' '}
          {new Date(state.waiting.at).toLocaleDateString()}.{' '}
          <button type="button" onClick={cancel}>
            Keep the address
          </button>
        </p>
      )}
      {message && <p role="status">{message}</p>}
    </section>
  )
}
