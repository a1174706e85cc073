import type { Session } from '@postern/core'
import { announceSignOut, announceUser } from './broadcast-session.ts'
import type { OptionsResponse } from './credentials.ts'
import { getUrl, isBrowser, warnOfOtherUrl } from './endpoint.ts'
import { navigate } from './navigate.ts'
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

/** Sends a request; `fetch` by default. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Called with every session that the server returns. */
export type SessionListener = (session: Session | null) => void

/** The response to a form: where to go, or a page as data. */
interface PostResponse extends OptionsResponse {
  readonly url?: string
}

/** The options of a request for a user: none in a browser, the user's cookies on a server. */
function getInit({ ctx, req = ctx?.req }: CtxOrReq): RequestInit {
  const cookie = req?.headers?.cookie
  return cookie ? { headers: { cookie } } : {}
}

/** Sends the requests to Postern's routes. */
export class Client {
  readonly #send: Send
  readonly #listeners = new Set<SessionListener>()
  /** The read that was started in this microtask. */
  #reading: Promise<Session | null> | null = null
  /** How many reads were started, and the number of the newest one whose result was published. */
  #started = 0
  #published = 0

  constructor(send: Send) {
    this.#send = send
  }

  async getSession({ broadcast = true, ...request }: GetSessionParams = {}): Promise<Session | null> {
    try {
      if (!isBrowser) return await this.#ask<Session>('session', getInit(request))
      const session = await this.readSession()
      if (broadcast) announceUser(session)
      return session
    } catch {
      return null
    }
  }

  async getCsrfToken(request: CtxOrReq = {}): Promise<string | undefined> {
    const response = await this.#ask<{ csrfToken: string }>('csrf', getInit(request)).catch(() => null)
    return response?.csrfToken
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
    if (!providers) return void navigate(getUrl('error'))
    const type = provider && providers[provider]?.type
    if (!type) return void navigate(`${getUrl('signin')}?${new URLSearchParams({ callbackUrl })}`)
    warnOfOtherUrl(providers[provider]?.signinUrl)
    // The code for passkeys is loaded on first use.
    const start = (): Promise<PostResponse> => this.#post(`signin/${provider}`, {})
    const passkey = type === 'webauthn' && (await (await import('./credentials.ts')).askForSignIn(start))
    if (passkey && 'error' in passkey) return passkey
    const isComplete = passkey || type === 'credentials'
    const route = `${isComplete ? 'callback' : 'signin'}/${provider}`
    const query = parameters ? `?${new URLSearchParams(parameters)}` : ''
    const { response, url } = await this.#post(route + query, { ...options, ...passkey, callbackUrl })
    if (redirect || !(isComplete || type === 'email')) return void navigate(url ?? callbackUrl)
    const { searchParams } = new URL(url ?? '', location.href)
    const [error, code] = [searchParams.get('error'), searchParams.get('code')]
    const { ok, status } = response
    if (ok) await this.#renew()
    return { error, ...(error && code && { code }), status, ok, url: error ? null : (url ?? null) }
  }

  async signOut({
    callbackUrl = location.href,
    redirect = true,
    provider
  }: SignOutParams<boolean> = {}): Promise<SignOutResponse | undefined> {
    const { url = callbackUrl } = await this.#post('signout', { callbackUrl, ...(provider && { provider }) })
    announceSignOut()
    if (redirect) return void navigate(url)
    await this.#renew()
    return { url }
  }

  /**
   * Sends data to the session's callbacks.
   *
   * @throws Error if the request failed or was refused.
   */
  async update(data: unknown): Promise<Session | null> {
    const csrfToken = await this.getCsrfToken()
    const body = JSON.stringify({ csrfToken, data })
    return this.#ask<Session>('session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  }

  /**
   * Reads the session.
   *
   * Only calls of the same moment share a request, such as those of components that mount together: the session may have
   * changed since an earlier request was sent.
   *
   * @param isShared - `false` always sends a request.
   * @throws Error if the request failed. A failure is never reported as signed out.
   */
  readSession(isShared: boolean = true): Promise<Session | null> {
    if (isShared && this.#reading) return this.#reading
    const reading = this.#read()
    this.#reading = reading
    queueMicrotask(() => {
      if (this.#reading === reading) this.#reading = null
    })
    return reading
  }

  /** Publishes a session that is newer than all pending reads. */
  show(session: Session | null): void {
    this.#published = this.#started
    this.#emit(session)
  }

  /** @returns A function that removes the listener. */
  onSession(listener: SessionListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #emit(session: Session | null): void {
    for (const listener of this.#listeners) listener(session)
  }

  async #read(): Promise<Session | null> {
    const number = ++this.#started
    const session = await this.#ask<Session>('session', {})
    if (number > this.#published) {
      this.#published = number
      this.#emit(session)
    }
    return session
  }

  /** Refreshes the session if there are listeners. */
  async #renew(): Promise<void> {
    if (this.#listeners.size > 0) await this.readSession().then(announceUser, () => undefined)
  }

  async #ask<T extends object>(route: string, init: RequestInit): Promise<T | null> {
    const url = getUrl(route)
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

  /** Posts a form, as a page would; `json` requests the URL instead of a redirect. */
  async #post(route: string, fields: object): Promise<{ readonly response: Response } & PostResponse> {
    const form: object = { ...fields, csrfToken: await this.getCsrfToken(), json: true }
    // It converts each value to a string.
    const body = new URLSearchParams(Object.entries(form))
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await this.#send(getUrl(route), { method: 'POST', headers, body })
    const data: PostResponse = await response.json()
    return { ...data, response }
  }
}

/** The client of this page, or of this server. */
export const client: Client = new Client((url, init) =>
  fetch(url, isBrowser ? { ...init, credentials: 'include' } : init)
)
