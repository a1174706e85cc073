import { signIn } from '@postern/react'
import { type FormEvent, type ReactElement, useState } from 'react'

/** The message for an error code. */
const sentences: Readonly<Record<string, string>> = {
  CredentialsSignin: 'Name and password do not belong together.',
  EmailSignin: 'The mail could not be sent.',
  RateLimited: 'Too many tries. Wait a while.',
  PasskeyCancelled: 'No passkey was used.',
  PasskeyUnknown: 'This passkey is not known here.'
}

type Submit = (event: FormEvent<HTMLFormElement>) => Promise<void>

/** All four sign-in methods. */
export function SignIn(): ReactElement {
  const [notice, setNotice] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)

  const submitTo =
    (provider: 'email' | 'credentials', done: string | null): Submit =>
    async (event) => {
      event.preventDefault()
      const fields = Object.fromEntries(new FormData(event.currentTarget))
      // Without a redirect, the page is not reloaded; `useSession` is updated after a sign-in.
      const result = await signIn<typeof provider>(provider, { ...fields, redirect: false })
      setError(result?.error ? (sentences[result.error] ?? 'Something went wrong.') : null)
      setNotice(result?.error ? null : done)
    }

  const usePasskey = async (): Promise<void> => {
    const result = await signIn<'passkey'>('passkey', { redirect: false })
    setError(result?.error ? (sentences[result.error] ?? 'Something went wrong.') : null)
  }

  return (
    <>
      <h1>Sign in</h1>
      {error && <p role="alert">{error}</p>}
      {notice && <p role="status">{notice}</p>}
      <form onSubmit={submitTo('credentials', null)}>
        <input name="username" aria-label="Name" placeholder="ada" autoComplete="username" required />
        <input name="password" aria-label="Password" type="password" autoComplete="current-password" required />
        <button type="submit">Sign in</button>
      </form>
      <form onSubmit={submitTo('email', 'A link is on its way to you.')}>
        <input name="email" aria-label="Email" type="email" autoComplete="email" required />
        <button type="submit">Mail me a link</button>
      </form>
      <button type="button" onClick={() => signIn('demo')}>
        Sign in with the demo provider
      </button>
      <button type="button" onClick={usePasskey}>
        Sign in with a passkey
      </button>
    </>
  )
}
