import { type AccountControl, accountControl } from './account-control.ts'
import type { Row } from './actions/row.ts'
import { rows } from './actions/table.ts'
import type { Config } from './config/config.ts'
import type { Environment } from './config/normalized-options.ts'
import type { PosternOptions } from './config/options.ts'
import { resolve } from './config/resolve.ts'
import { parseCookies } from './cookies/parse.ts'
import { serializeCookies } from './cookies/serialize.ts'
import { answering, handle, wrongHost } from './handle.ts'
import { BodyError } from './http/body.ts'
import { type Outcome, text } from './http/action-result.ts'
import { type AuthRequest, fromWebRequest } from './http/request.ts'
import { type Answer, plainAnswer, toWebResponse } from './http/response.ts'
import type { SetCookies } from './model/cookie.ts'
import type { Session } from './model/session.ts'
import type { User } from './model/user.ts'
import { redirectUriAt } from './redirects/redirect-uri.ts'
import { type SessionControl, sessionControl } from './session-control.ts'
import type { Reading } from './sessions/strategy.ts'
import { unknownVisitor } from './sessions/visitor.ts'

/** A route as a framework registers it: `path` is below the base path, `:provider` names a provider. */
export interface Route {
  readonly method: Row['method']
  readonly path: string
}

/** The session that these options make: what `callbacks.session` returns, else `Session`. */
export type SessionOf<O extends PosternOptions> = O extends { readonly callbacks: { readonly session: infer F } }
  ? F extends (...args: never[]) => infer R
    ? Exclude<Awaited<R>, null>
    : Session
  : Session

/** Sign-in without a framework; `S` is the session as `callbacks.session` returns it. */
export interface Postern<S extends object = Session> extends AccountControl {
  readonly basePath: string
  /** The rows of the action table; a framework adapter loops over them. */
  readonly routes: readonly Route[]
  /** The redirect URI of each provider, to be registered with it; `null` where requests say where we live. */
  readonly redirectUris: Readonly<Record<string, string>> | null
  /** Answers with plain values. Never rejects. */
  handle(request: AuthRequest): Promise<Outcome>
  /** Answers with status, headers and body. Never rejects. */
  answer(request: AuthRequest): Promise<Answer>
  /** Answers a web request; 404 for a path that is not below the base path. */
  fetch(request: Request): Promise<Response>
  /**
   * Reads the session of a web request.
   *
   * @throws AuthError `StoreUnavailable`: the store did not answer. That is never "signed out".
   */
  getSession(request: Request): Promise<S | null>
  /** Reads the session, and tells the cookies that are due. @throws AuthError `StoreUnavailable` */
  readSession(request: Pick<AuthRequest, 'origin' | 'cookies'>): Promise<Reading>
  /** @returns The values of Set-Cookie headers for cookies that are due. */
  setCookieHeaders(cookies: SetCookies): readonly string[]
  /** Changes the session of a request from the server's side: the callbacks see `trigger: 'update'`. */
  updateSession(request: Pick<AuthRequest, 'origin' | 'cookies'>, patch: unknown): Promise<Reading>
  /** Opens a session for a user without any proof: for tests. */
  openSession(user: User, origin: string): Promise<SetCookies>
  /** Lists and ends the sessions of users. */
  readonly sessions: SessionControl
  /** Stops what is done in the background; what is under way is waited for. */
  close(): Promise<void>
  /** @returns Everything that requests of this origin are answered with, or `null` for a host we do not answer for. */
  configFor(origin: string): Config | null
}

const nobody: Reading = { session: null, signedIn: null, cookies: new Map() }

function routeOf({ method, action, second }: Row): readonly Route[] {
  const plain = { method, path: `/${action}` }
  const named = { method, path: `/${action}/${second === 'asset' ? ':hash' : ':provider'}` }
  if (second === 'none') return [plain]
  return second === 'optional provider' ? [plain, named] : [named]
}

function redirectUrisOf(fixed: Config | null): Readonly<Record<string, string>> | null {
  if (!fixed) return null
  const oauth = [...fixed.providers.values()].filter(({ kind }) => kind === 'oauth')
  return Object.fromEntries(oauth.map(({ id }) => [id, redirectUriAt(fixed.base, id)]))
}

async function openSession(user: User, config: Config | null): Promise<SetCookies> {
  if (!config) throw new TypeError('expected an origin that the application answers for')
  const account = { provider: 'test', type: 'credentials', providerAccountId: user.id, userId: user.id } as const
  return config.sessions.open(
    { user, account, profile: null, isNewUser: false, remembered: null, visitor: unknownVisitor, store: config.store },
    null,
    new Map()
  )
}

/**
 * Checks the options and makes sign-in of them.
 *
 * @param environment - Where unset options are looked for. @defaultValue `process.env`
 * @throws ConfigError every mistake at once, each with its mend.
 */
export function createPostern<const O extends PosternOptions>(
  options: O,
  environment?: Environment
): Postern<SessionOf<O>>
export function createPostern(
  options: PosternOptions,
  environment: Environment = globalThis.process?.env ?? {}
): Postern {
  const { foundation, configFor, fixed } = resolve(options, environment)
  const { basePath, constants } = foundation

  const answer = answering(configFor)
  const readSession: Postern['readSession'] = async ({ origin, cookies }) => {
    const config = configFor(origin)
    return config ? config.sessions.read(cookies) : nobody
  }
  return {
    basePath,
    updateSession: async ({ origin, cookies }, patch) => configFor(origin)?.sessions.update(cookies, patch) ?? nobody,
    setCookieHeaders: (cookies) => serializeCookies(cookies, foundation.runtime.now()),
    openSession: async (user, origin) => openSession(user, configFor(origin)),
    ...accountControl(foundation),
    sessions: sessionControl(foundation, configFor),
    close: async () => foundation.cleaning?.stop(),
    routes: rows.flatMap(routeOf),
    redirectUris: redirectUrisOf(fixed),
    answer,
    readSession,
    configFor,
    handle: async (request) => {
      const config = configFor(request.origin)
      return config ? handle(request, config) : wrongHost
    },
    fetch: async (request) => {
      try {
        const plainRequest = await fromWebRequest(request, basePath, constants.bodyLimitBytes)
        return toWebResponse(
          plainRequest ? await answer(plainRequest) : plainAnswer(text('Error: there is no such page', 404))
        )
      } catch (error) {
        if (!(error instanceof BodyError)) throw error
        return toWebResponse(plainAnswer(text(`Error: ${error.message}`, error.status)))
      }
    },
    getSession: async (request) => {
      const cookies = parseCookies(request.headers.get('cookie'))
      return (await readSession({ origin: new URL(request.url).origin, cookies })).session
    }
  }
}
