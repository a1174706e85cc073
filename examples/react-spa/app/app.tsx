import { useSession } from '@postern/react'
import type { ReactElement } from 'react'
import { Account } from './account.tsx'
import { Members } from './members.tsx'
import { SignIn } from './sign-in.tsx'

/** One page for members, and one for everyone. */
export function App(): ReactElement {
  return location.pathname === '/members' ? <Members /> : <Home />
}

function Home(): ReactElement {
  const { data: session, status } = useSession()
  if (session) return <Account person={session.user ?? {}} />
  return status === 'loading' ? <p>One moment …</p> : <SignIn />
}
