import { type Context, createContext, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { configure, isBrowser } from './endpoint.ts'
import { SessionStore } from './session-store.ts'
import type { SessionContextValue, SessionProviderProps } from './types.ts'

/** The context that `useSession` reads; a test may provide a value of its own. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<SessionContextValue | undefined>(
  undefined
)

/**
 * Knows the session for everything inside it.
 *
 * Components that use the session render again only when it changed: the same answer of the server is the same object.
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const { children, session, basePath, refetchInterval, refetchOnWindowFocus, refetchWhenOffline } = props
  // On a server the place belongs to every visitor: there `configure` says it once.
  if (basePath && isBrowser) configure({ basePath })
  const [store] = useState(() => new SessionStore(client, session))
  const value = useSyncExternalStore(store.subscribe, store.current, () => store.first)
  useEffect(
    () => store.watch({ refetchInterval, refetchOnWindowFocus, refetchWhenOffline }),
    [store, refetchInterval, refetchOnWindowFocus, refetchWhenOffline]
  )
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}
