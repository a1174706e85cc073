import type { Session } from '@postern/core'
import type { Client } from './client.ts'
import { listen, markOf, tellChange, tellUser } from './tabs.ts'
import type { Refetching, SessionContextValue, UpdateSession } from './types.ts'

/** Milliseconds between reads that the visitor causes by coming back to the page. */
const focusInterval = 60_000

/**
 * What one provider knows of the session.
 *
 * The value that it shows is the same object until something changes. It asks nobody before it is watched.
 */
export class SessionStore {
  /** What was known at first, also when the page was rendered on a server. */
  readonly first: SessionContextValue
  #current: SessionContextValue
  readonly #client: Client
  readonly #listeners = new Set<() => void>()
  #readAt = Date.now()
  #hasFailed = false
  #isUpdating = false

  /** @param given - The session if it is known already: `null` for nobody, `undefined` for not known. */
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

  /** Reads the session if it is not known, and again when something happens. @returns How to stop. */
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
    else tellUser(this.#current.data)
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
    const answer = await this.#client.update(data).then(
      (session) => ({ session }),
      () => null
    )
    this.#isUpdating = false
    if (!answer) {
      this.#show(this.#current.data)
      return null
    }
    this.#client.show(answer.session)
    if (answer.session) tellChange()
    return answer.session
  }

  /** Another tab has read the session of this user, or of one that it does not name. */
  #hear(user: string | null): void {
    const { data, status } = this.#current
    if (status === 'loading' || user !== markOf(data)) this.#read(true, false)
  }

  async #read(isNews: boolean, isTold: boolean = true): Promise<void> {
    this.#readAt = Date.now()
    try {
      const session = await this.#client.readSession(isNews)
      this.#hasFailed = false
      if (isTold) tellUser(session)
    } catch {
      // What was known stays: a server that cannot be asked has signed nobody out.
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
