import { useContext, useEffect, useMemo } from 'react'
import { addressOf } from './endpoint.ts'
import { SessionContext } from './session-provider.tsx'
import type { SessionContextValue, UseSessionOptions } from './types.ts'

/**
 * Who is signed in, and how to change the session.
 *
 * @throws Error there is no `SessionProvider` around the component.
 */
export function useSession<R extends boolean>(options?: UseSessionOptions<R>): SessionContextValue<R>
export function useSession({
  required,
  onUnauthenticated
}: Partial<UseSessionOptions<boolean>> = {}): SessionContextValue<boolean> {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession: expected a <SessionProvider> around the component, found none')
  const isMissing = required === true && value.status === 'unauthenticated'
  useEffect(() => {
    if (!isMissing) return
    if (onUnauthenticated) onUnauthenticated()
    else
      location.href = `${addressOf('signin')}?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: location.href })}`
  }, [isMissing, onUnauthenticated])
  return useMemo(() => (isMissing ? { ...value, status: 'loading' } : value), [value, isMissing])
}
