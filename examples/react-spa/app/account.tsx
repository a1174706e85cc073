import { addPasskey, signOut, useSession } from '@postern/react'
import { type FormEvent, type ReactElement, useState } from 'react'
import { Devices } from './devices.tsx'
import { Email } from './email.tsx'

interface Person {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Who is signed in, and what they can do. */
export function Account({ person: { name, email } }: { readonly person: Person }): ReactElement {
  const { update } = useSession()
  const [response, setResponse] = useState<string | null>(null)

  const rename = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    await update({ name: new FormData(event.currentTarget).get('name') })
  }
  const add = async (): Promise<void> => {
    const { ok, error } = await addPasskey()
    setResponse(ok ? 'You can sign in with the passkey now.' : error)
  }
  const ask = async (): Promise<void> => {
    const response = await fetch('/api/me')
    setResponse(await response.text())
  }

  return (
    <>
      <h1>Hello, {name ?? email}</h1>
      <p>
        <a href="/members">For members</a>
      </p>
      <form onSubmit={rename}>
        <input name="name" aria-label="New name" maxLength={50} required />
        <button type="submit">Change my name</button>
      </form>
      <p>
        <button type="button" onClick={ask}>
          Ask the API who I am
        </button>
      </p>
      <p>
        <button type="button" onClick={add}>
          Add a passkey
        </button>
      </p>
      {response && <pre>{response}</pre>}
      <Email />
      <Devices />
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </>
  )
}
