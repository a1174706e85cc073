import type { Session } from '@postern/core'
import type { Client } from './client.ts'
import { announceChange, announceUser, getMark, listen } from './tabs.ts'
import type { Refetching, SessionContextValue, UpdateSession } from './types.ts'

/** The minimum milliseconds between reads that are caused by returning to the page. */
const focusInterval = 60_000

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
    this.first = this.#valueOf(given ?? null, given === undefined)
    this.#current = this.first
  }

  readonly current = (): SessionContextValue => this.#current

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads the session if it is unknown, and again on relevant events. @returns A function that stops watching. */
  watch({ refetchInterval = 0, refetchOnWindowFocus = true, refetchWhenOffline }: Refetching): () => void {
    const onVisible = (): void => {
      const isDue = Date.now() - this.#readAt >= focusInterval && (this.#current.data || this.#hasFailed)
      if (refetchOnWindowFocus && document.visibilityState === 'visible' && isDue) this.#read(false)
    }
    const onTime = (): void => {
      if (this.#current.data && (refetchWhenOffline !== false || navigator.onLine)) this.#read(false)
    }
    const stopShowing = this.#client.onSession((session) => this.#show(session))
    const stopListening = listen((user) => this.#hear(user))
    document.addEventListener('visibilitychange', onVisible)
    const timer = refetchInterval > 0 ? setInterval(onTime, refetchInterval * 1000) : undefined
    if (this.#current.status === 'loading') this.#read(false)
    else announceUser(this.#current.data)
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
    const result = await this.#client.update(data).then(
      (session) => ({ session }),
      () => null
    )
    this.#isUpdating = false
    if (!result) {
      this.#show(this.#current.data)
      return null
    }
    this.#client.show(result.session)
    if (result.session) announceChange()
    return result.session
  }

  /** Handles a message from another tab, which names the user of a session that it has read, or `null`. */
  #hear(user: string | null): void {
    const { data, status } = this.#current
    if (status === 'loading' || user !== getMark(data)) this.#read(true, false)
  }

  async #read(isNews: boolean, isReported: boolean = true): Promise<void> {
    this.#readAt = Date.now()
    try {
      const session = await this.#client.readSession(isNews)
      this.#hasFailed = false
      if (isReported) announceUser(session)
    } catch {
      // The session is kept: a failed request does not sign the user out.
      this.#hasFailed = true
      this.#show(this.#current.data)
    }
  }

  #show(session: Session | null): void {
    const { data, status } = this.#current
    const isSame = JSON.stringify(session) === JSON.stringify(data)
    if (isSame && this.#isUpdating === (status === 'loading')) return
    this.#current = this.#valueOf(isSame ? data : session, this.#isUpdating)
    for (const listener of this.#listeners) listener()
  }

  #valueOf(data: Session | null, isLoading: boolean): SessionContextValue {
    const update = this.#update
    if (isLoading) return { data, update, status: 'loading' }
    return data ? { data, update, status: 'authenticated' } : { data, update, status: 'unauthenticated' }
  }
}
