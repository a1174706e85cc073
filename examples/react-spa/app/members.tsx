import { useSession } from '@postern/react'
import type { ReactElement } from 'react'

/** Whoever is not signed in goes to the sign-in page, and comes back here. */
export function Members(): ReactElement {
  const { data: session } = useSession({ required: true })
  if (!session) return <p>One moment …</p>
  return (
    <>
      <h1>Members</h1>
      <p>Good to see you, {session.user?.name ?? session.user?.email}.</p>
      <p>
        <a href="/">Back</a>
      </p>
    </>
  )
}
