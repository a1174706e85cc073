import { type Context, createContext, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { configure, isBrowser } from './endpoint.ts'
import { SessionStore } from './session-store.ts'
import type { SessionContextValue, SessionProviderProps } from './types.ts'

/** The context of `useSession`; tests may provide their own value. */
export const SessionContext: Context<SessionContextValue | undefined> = createContext<SessionContextValue | undefined>(
  undefined
)

/**
 * Provides the session to the components inside it.
 *
 * They render again only if the session changed: equal responses of the server yield the same object.
 */
export function SessionProvider(props: SessionProviderProps): ReactElement {
  const { children, session, basePath } = props
  const { refetchInterval, refetchOnWindowFocus, focusThrottleInterval, refetchWhenOffline } = props
  // On a server the setting is shared by all users, so `configure` must set it once.
  if (basePath && isBrowser) configure({ basePath })
  const [store] = useState(() => new SessionStore(client, session))
  const value = useSyncExternalStore(store.subscribe, store.current, () => store.first)
  useEffect(
    () => store.watch({ refetchInterval, refetchOnWindowFocus, focusThrottleInterval, refetchWhenOffline }),
    [store, refetchInterval, refetchOnWindowFocus, focusThrottleInterval, refetchWhenOffline]
  )
  return <SessionContext.Provider value={value}>{children}</SessionContext.Provider>
}
