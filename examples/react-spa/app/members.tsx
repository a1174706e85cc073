import { useSession } from '@postern/react'
import type { ReactElement } from 'react'

/** Users who are not signed in are redirected to the sign-in page, and return here. */
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
