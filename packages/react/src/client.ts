import type { Session } from '@postern/core'
import { go } from './navigate.ts'
import { addressOf, isBrowser } from './endpoint.ts'
import { tellSignOut, tellUser } from './tabs.ts'
import type {
  ClientSafeProvider,
  CtxOrReq,
  GetSessionParams,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse
} from './types.ts'

/** How a request leaves: `fetch`. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Told every session that the server answers with. */
export type SessionListener = (session: Session | null) => void

/** What a client must be asked for on behalf of a visitor: nothing in a browser, their cookies on a server. */
function initOf({ ctx, req = ctx?.req }: CtxOrReq): RequestInit {
  const cookie = req?.headers?.cookie
  return cookie ? { headers: { cookie } } : {}
}

/** The requests to the routes. */
export class Client {
  readonly #send: Send
  readonly #listeners = new Set<SessionListener>()
  #reading: Promise<Session | null> | null = null
  #changes = 0

  constructor(send: Send) {
    this.#send = send
  }

  async getSession({ broadcast = true, ...request }: GetSessionParams = {}): Promise<Session | null> {
    try {
      if (!isBrowser) return await this.#ask<Session>('session', initOf(request))
      const session = await this.readSession(false)
      if (broadcast) tellUser(session)
      return session
    } catch {
      return null
    }
  }

  async getCsrfToken(request: CtxOrReq = {}): Promise<string | undefined> {
    const answer = await this.#ask<{ csrfToken: string }>('csrf', initOf(request)).catch(() => null)
    return answer?.csrfToken
  }

  getProviders(): Promise<Record<string, ClientSafeProvider> | null> {
    return this.#ask<Record<string, ClientSafeProvider>>('providers', {}).catch(() => null)
  }

  async signIn(
    provider?: string,
    options: SignInOptions = {},
    parameters?: SignInAuthorizationParams
  ): Promise<SignInResponse | undefined> {
    const { callbackUrl = location.href, redirect = true } = options
    const providers = await this.getProviders()
    if (!providers) return void go(addressOf('error'))
    const type = provider && providers[provider]?.type
    if (!type) return void go(`${addressOf('signin')}?${new URLSearchParams({ callbackUrl })}`)
    const route = `${type === 'credentials' ? 'callback' : 'signin'}/${provider}`
    const query = parameters ? `?${new URLSearchParams(parameters)}` : ''
    const { response, url } = await this.#post(route + query, { ...options, callbackUrl })
    if (redirect || !(type === 'credentials' || type === 'email')) return void go(url ?? callbackUrl)
    const error = new URL(url ?? '', location.href).searchParams.get('error')
    if (response.ok) await this.#renew()
    return { error, status: response.status, ok: response.ok, url: error ? null : (url ?? null) }
  }

  async signOut({
    callbackUrl = location.href,
    redirect = true,
    provider
  }: SignOutParams<boolean> = {}): Promise<SignOutResponse | undefined> {
    const { url = callbackUrl } = await this.#post('signout', { callbackUrl, ...(provider ? { provider } : {}) })
    tellSignOut()
    if (redirect) return void go(url)
    await this.#renew()
    return { url }
  }

  /**
   * Sends data to the session's callbacks.
   *
   * @throws Error the server could not be asked, or refused.
   */
  async update(data: unknown): Promise<Session | null> {
    const csrfToken = await this.getCsrfToken()
    const body = JSON.stringify({ csrfToken, data })
    return this.#ask<Session>('session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  }

  /**
   * Reads the session; whoever asks while a read is under way gets its answer.
   *
   * @param isNews - Whether it may have changed just now: a read that is under way is then followed by another one.
   * @throws Error the server could not be asked. That is never "signed out".
   */
  readSession(isNews: boolean): Promise<Session | null> {
    const reading = this.#reading
    if (!reading) return this.#read()
    if (!isNews) return reading
    const readAgain = (): Promise<Session | null> => this.#reading ?? this.#read()
    return reading.then(readAgain, readAgain)
  }

  /** Makes a session known that is newer than what is being read. */
  show(session: Session | null): void {
    this.#changes += 1
    this.#reading = null
    this.#tell(session)
  }

  /** @returns How to stop. */
  onSession(listener: SessionListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(session: Session | null): void {
    for (const listener of this.#listeners) listener(session)
  }

  #read(): Promise<Session | null> {
    const changes = this.#changes
    const read = async (): Promise<Session | null> => {
      const session = await this.#ask<Session>('session', {})
      if (changes === this.#changes) this.#tell(session)
      return session
    }
    const reading = read().finally(() => {
      if (this.#reading === reading) this.#reading = null
    })
    this.#reading = reading
    return reading
  }

  /** Lets whoever shows the session know that it changed. */
  async #renew(): Promise<void> {
    if (this.#listeners.size === 0) return
    await this.readSession(true).then(tellUser, () => undefined)
  }

  async #ask<T extends object>(route: string, init: RequestInit): Promise<T | null> {
    const url = addressOf(route)
    try {
      const response = await this.#send(url, init)
      const data: T | null = await response.json()
      if (!response.ok) throw new Error(`expected 200, got ${response.status}`, { cause: data })
      return data && Object.keys(data).length > 0 ? data : null
    } catch (error) {
      console.error('[postern][error][CLIENT_FETCH_ERROR]', { url, error })
      throw error
    }
  }

  /** Sends a form, as a page would; `json` asks for the address instead of a redirect. */
  async #post(route: string, fields: object): Promise<{ readonly response: Response; readonly url?: string }> {
    const form = { ...fields, csrfToken: await this.getCsrfToken(), json: true }
    const body = new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)]))
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await this.#send(addressOf(route), { method: 'POST', headers, body })
    const { url }: { readonly url?: string } = await response.json()
    return url === undefined ? { response } : { response, url }
  }
}

/** The client of this page, or of this server. */
export const client: Client = new Client((url, init) =>
  fetch(url, isBrowser ? { ...init, credentials: 'include' } : init)
)
