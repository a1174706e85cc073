import type { Session } from '@postern/core'
import type { ReactElement } from 'react'
import { SessionProvider, type SessionProviderProps, useSession } from '../src/index.ts'
import type { SessionContextValue } from '../src/types.ts'

/** Prints what it knows, and keeps what it was given at each rendering. */
export function Greeting({
  seen,
  ...options
}: {
  readonly seen?: SessionContextValue<boolean>[]
  readonly required?: boolean
  readonly onUnauthenticated?: () => void
}): ReactElement {
  const value = useSession({ required: false, ...options })
  seen?.push(value)
  return (
    <p>
      {value.status} {value.data?.user?.name ?? 'no one'}
    </p>
  )
}

/** A page with one component that uses the session. */
export function Page({
  session,
  seen,
  ...props
}: Omit<SessionProviderProps, 'session'> & {
  readonly session?: Session | null | undefined
  readonly seen?: SessionContextValue<boolean>[]
}): ReactElement {
  return (
    <SessionProvider session={session} {...props}>
      <Greeting {...(seen ? { seen } : {})} />
    </SessionProvider>
  )
}
