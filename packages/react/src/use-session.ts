import { useContext, useEffect, useMemo } from 'react'
import { getUrl } from './endpoint.ts'
import { SessionContext } from './session-provider.tsx'
import type { SessionContextValue, UseSessionOptions } from './types.ts'

/**
 * Returns the session, and a function that updates it.
 *
 * @throws Error if the component is not inside a `SessionProvider`.
 */
export function useSession<R extends boolean>(options?: UseSessionOptions<R>): SessionContextValue<R>
export function useSession({
  required,
  onUnauthenticated
}: Partial<UseSessionOptions<boolean>> = {}): SessionContextValue<boolean> {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession: expected a <SessionProvider>, found none')
  const isMissing = required === true && value.status === 'unauthenticated'
  useEffect(() => {
    if (!isMissing) return
    if (onUnauthenticated) onUnauthenticated()
    else
      location.href = `${getUrl('signin')}?${new URLSearchParams({ error: 'SessionRequired', callbackUrl: location.href })}`
  }, [isMissing, onUnauthenticated])
  return useMemo(() => (isMissing ? { ...value, status: 'loading' } : value), [value, isMissing])
}
