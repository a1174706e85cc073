import type { Session } from '@postern/core'
import { announceChange, announceUser, getMark, listen } from './broadcast-session.ts'
import type { Client } from './client.ts'
import type { Refetching, SessionContextValue, UpdateSession } from './types.ts'

interface ReadOptions {
  /** Whether to share the request of a read of the same moment. */
  readonly isShared?: boolean
  /** Whether to tell other tabs who is signed in. */
  readonly isAnnounced?: boolean
}

/**
 * The session state of one provider.
 *
 * The value is the same object until something changes. No request is sent before `watch` is called.
 */
export class SessionStore {
  /** The initial value, which is the same when the page is rendered on a server. */
  readonly first: SessionContextValue
  #current: SessionContextValue
  readonly #client: Client
  readonly #listeners = new Set<() => void>()
  #readAt = Date.now()
  #hasFailed = false
  #isUpdating = false

  /** @param given - The session if it is known: `null` for signed out, `undefined` for unknown. */
  constructor(client: Client, given: Session | null | undefined) {
    this.#client = client
    this.first = this.#valueOf(given, given === undefined)
    this.#current = this.first
  }

  readonly current = (): SessionContextValue => this.#current

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads the session if it is unknown, and again on relevant events. @returns A function that stops watching. */
  watch({
    refetchInterval = 0,
    refetchOnWindowFocus = true,
    focusThrottleInterval = 0,
    refetchWhenOffline
  }: Refetching): () => void {
    const onVisible = (): void => {
      const isDue = Date.now() - this.#readAt >= focusThrottleInterval * 1000
      const mayHaveChanged = this.#current.data !== null || this.#hasFailed
      if (refetchOnWindowFocus && document.visibilityState === 'visible' && isDue && mayHaveChanged) this.#read()
    }
    const onTime = (): void => {
      if (this.#current.data && (refetchWhenOffline !== false || navigator.onLine)) this.#read({ isShared: false })
    }
    const stopShowing = this.#client.onSession((session) => this.#show(session))
    const stopListening = listen((user) => this.#hear(user))
    document.addEventListener('visibilitychange', onVisible)
    const timer = refetchInterval > 0 ? setInterval(onTime, refetchInterval * 1000) : undefined
    const { data } = this.#current
    if (data === undefined) this.#read()
    else announceUser(data)
    return () => {
      stopShowing()
      stopListening()
      document.removeEventListener('visibilitychange', onVisible)
      clearInterval(timer)
    }
  }

  readonly #update: UpdateSession = async (data) => {
    if (this.#current.status !== 'authenticated') return undefined
    this.#isUpdating = true
    this.#show(this.#current.data)
    const session = await this.#client.update(data).catch(() => undefined)
    this.#isUpdating = false
    if (session === undefined) this.#show(this.#current.data)
    else this.#client.show(session)
    if (session) announceChange()
    return session ?? null
  }

  /** Handles a message from another tab, which names the user of a session that it has read, or `null`. */
  #hear(user: string | null): void {
    const { data } = this.#current
    if (data === undefined || this.#isUpdating || user !== getMark(data)) this.#read({ isAnnounced: false })
  }

  async #read({ isShared = true, isAnnounced = true }: ReadOptions = {}): Promise<void> {
    this.#readAt = Date.now()
    try {
      await this.#client.readSession(isShared)
      this.#hasFailed = false
      const { data } = this.#current
      if (isAnnounced && data !== undefined) announceUser(data)
    } catch {
      // The session is kept: a failed request does not sign the user out.
      this.#hasFailed = true
      this.#show(this.#current.data ?? null)
    }
  }

  #show(session: Session | null | undefined): void {
    const { data, status } = this.#current
    const isSame = JSON.stringify(session) === JSON.stringify(data)
    if (isSame && this.#isUpdating === (status === 'loading')) return
    this.#current = this.#valueOf(isSame ? data : session, this.#isUpdating)
    for (const listener of this.#listeners) listener()
  }

  #valueOf(data: Session | null | undefined, isLoading: boolean): SessionContextValue {
    const update = this.#update
    if (isLoading) return { data, update, status: 'loading' }
    return data ? { data, update, status: 'authenticated' } : { data: null, update, status: 'unauthenticated' }
  }
}
