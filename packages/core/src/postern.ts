import { loadLazyActions } from './actions/load-lazy-actions.ts'
import type { RouteDefinition } from './actions/route.ts'
import { routes } from './actions/routes.ts'
import { type AccountControl, accountControl, type RequestedAccountControl } from './api/account-control.ts'
import { type DataControl, dataControl } from './api/data-control.ts'
import { type EventControl, eventControl } from './api/event-control.ts'
import { type FormControl, formControl } from './api/form-control.ts'
import { type MailControl, mailControl } from './api/mail-control.ts'
import { type OneTimeTokens, oneTimeTokens } from './api/one-time-tokens.ts'
import { openSession, type TestSignIn } from './api/open-session.ts'
import { revokeSession, type SessionControl, sessionControl } from './api/session-control.ts'
import { type SignInControl, signInControl } from './api/sign-in-control.ts'
import { type UserControl, userControl } from './api/user-control.ts'
import { assertTexts } from './config/assert-arguments.ts'
import type { Config, Services } from './config/config.ts'
import { warnOfMissingKeys } from './config/data-encryption.ts'
import type { Environment } from './config/normalized-options.ts'
import type { PosternOptions } from './config/options.ts'
import { resolve } from './config/resolve.ts'
import { connectFeatures } from './config/services.ts'
import type { CookieScope } from './config/session-cookies.ts'
import { parseCookies } from './cookies/parse.ts'
import { serializeCookies } from './cookies/serialize.ts'
import type { FeatureApis } from './features/feature.ts'
import { type FeatureRegistry, findMovedPage } from './features/registry.ts'
import type { UserOperations } from './features/user-operations.ts'
import { createHandler, handle, wrongHost } from './handle.ts'
import { type ActionResult, text } from './http/action-result.ts'
import { BodyError } from './http/body.ts'
import { type AuthRequest, fromWebRequest } from './http/request.ts'
import { type HttpResponse, toPlainResponse, toWebResponse } from './http/response.ts'
import type { MaybePromise } from './model/awaitable.ts'
import type { SetCookies } from './model/cookie.ts'
import type { Session, Token } from './model/session.ts'
import { setUnrefTimeout } from './model/unref-timeout.ts'
import type { User } from './model/user.ts'
import { oauthProviders } from './oauth/oauth-provider.ts'
import { redirectUriAt } from './redirects/redirect-uri.ts'
import type { SessionRequest } from './sessions/session-directory.ts'
import { noSession, type SessionResult } from './sessions/strategy.ts'

/**
 * A route for a framework to register: `path` is relative to the base path, a part with a colon is a parameter. A path
 * that starts with `/.well-known/` is relative to the origin. A page that the application has moved has two routes: the one
 * with `movedTo` is at that path of the application, and its requests have `path`, and `isMoved`.
 */
export interface Route {
  readonly method: RouteDefinition['method'] | 'DELETE'
  readonly path: string
  readonly movedTo?: string
}

/** Milliseconds from the start to the check of the providers. */
const checkDelay = 500

/** The session type of these options: the return type of `callbacks.session`, otherwise `Session`. */
export type SessionOf<O extends PosternOptions> = O extends { readonly callbacks: { readonly session: infer F } }
  ? F extends (...args: never[]) => infer R
    ? Exclude<Awaited<R>, null>
    : Session
  : Session

/** What a server knows about the client of a web request. */
export interface WebConnection {
  readonly client?: string | null | undefined
}

/** Sign-in without a framework; `S` is the return type of `callbacks.session`. */
export interface Postern<S extends object = Session>
  extends AccountControl,
    DataControl,
    FormControl,
    MailControl,
    SignInControl {
  readonly basePath: string
  /** Whether sessions know how their user was authenticated; `false` if the adapter does not store records of sessions. */
  readonly storesAuthentication: boolean
  /** The application that sessions are bound to, and their cookies. */
  readonly application: { readonly id: string; readonly sessionCookies: readonly CookieScope[] }
  /** The routes; a framework adapter registers each of them. */
  readonly routes: readonly Route[]
  /** What features offer to the application, by the feature's id. */
  readonly features: FeatureApis
  /** The redirect URI of each provider, to register with it; `null` if the origin is taken from the request. */
  readonly redirectUris: Readonly<Record<string, string>> | null
  /** Handles a request and returns plain values. Never rejects. */
  handle(request: AuthRequest): Promise<ActionResult>
  /** Handles a request and returns status, headers and body, at once unless it has to wait. Fails only if a page cannot be rendered. */
  respond(request: AuthRequest): MaybePromise<HttpResponse>
  /**
   * Handles a web request; returns 404 for a path that is not below the base path.
   *
   * @param connection - `client` is the IP address of the client, as the server states it, without a port. All clients
   *   without one share the limits of one client.
   */
  fetch(request: Request, connection?: WebConnection): Promise<Response>
  /**
   * Reads the session of a web request.
   *
   * @throws AuthError `StoreUnavailable` if the store did not respond. An outage is never reported as signed out.
   */
  getSession(request: Request): Promise<S | null>
  /**
   * Reads the claims of a JWT session after the same checks as `getSession`: times, revocations and callbacks.
   *
   * @returns `null` without a session, and for database sessions.
   * @throws AuthError `StoreUnavailable`
   */
  getToken(request: Request): Promise<Token | null>
  /**
   * Reads the session, and returns the cookies to set: at once, unless it has to wait.
   *
   * @throws AuthError `StoreUnavailable`
   */
  readSession(request: Pick<AuthRequest, 'origin' | 'cookies'>): MaybePromise<SessionResult>
  /** @returns The values of the Set-Cookie headers. */
  setCookieHeaders(cookies: SetCookies): readonly string[]
  /** Updates the session of a request on the server: the callbacks are called with `trigger: 'update'`. */
  updateSession(request: Pick<AuthRequest, 'origin' | 'cookies'>, patch: unknown): Promise<SessionResult>
  /**
   * Creates a session for a user without verification, for tests. A user without an id is found by its email address, or
   * created. @throws AuthError `UserSuspended`
   */
  openSession(user: Partial<User>, origin: string, signIn?: TestSignIn): Promise<SetCookies>
  /** Lists and ends the sessions of users. */
  readonly sessions: SessionControl
  /** Finds, lists, suspends and impersonates users. */
  readonly users: UserControl
  /** Reads security events. */
  readonly events: EventControl
  /** Tokens of the application that can be used once. */
  readonly oneTimeTokens: OneTimeTokens
  /**
   * Reads the metadata of the providers in the background, half a second later, and logs each with which no user can sign in as
   * `PROVIDER_UNUSABLE`. The Fastify plugin calls it when the server listens.
   */
  checkProviders(): void
  /** Stops background work and waits until running work has finished. */
  close(): Promise<void>
  /** @returns The configuration for an origin, or `null` if the host is not allowed. */
  configFor(origin: string): Config | null
}

/** The parts of a web request that identify its session. */
function sessionRequest({ url, headers }: Request): SessionRequest {
  return { origin: new URL(url).origin, cookies: parseCookies(headers.get('cookie')) }
}

function toPublicRoutes({ method, action, parameter }: RouteDefinition): readonly Route[] {
  const plain = { method, path: `/${action}` }
  const named = { method, path: `/${action}/${parameter === 'asset' ? ':hash' : ':provider'}` }
  if (parameter === 'none') return [plain]
  return parameter === 'optional provider' ? [plain, named] : [named]
}

const isWellKnown = (path: string): boolean => path.startsWith('/.well-known/')

function featureRoutes({ routes }: FeatureRegistry): readonly Route[] {
  const own = routes.flatMap(({ route: { method, path }, movedTo }) => [
    { method, path },
    ...(movedTo === null ? [] : [{ method, path, movedTo }])
  ])
  return [...own, { method: 'GET', path: '/verify/:id' }, { method: 'POST', path: '/verify/:id' }]
}

function getRedirectUris(fixed: Config | null): Readonly<Record<string, string>> | null {
  if (!fixed) return null
  return Object.fromEntries(oauthProviders(fixed.providers).map(({ id }) => [id, redirectUriAt(fixed.base, id)]))
}

/** The operations for features, which name the request of the user who asks for them. */
function createOperations(
  accounts: RequestedAccountControl,
  sessions: SessionControl,
  services: Services
): UserOperations {
  return {
    accounts: accounts.accounts,
    events: eventControl(services),
    exportUser: accounts.exportUser,
    unlink: async (userId, key, { request = null, session } = {}) => {
      const removed = await accounts.unlink(userId, key, {}, { request, acting: session?.acting ?? null })
      await session?.continueWith(removed)
    },
    checkDeletion: async (userId) => services.store?.checkUserDeletion?.(userId),
    deleteUser: (userId, { request = null, session } = {}) =>
      accounts.deleteUser(userId, {}, { request, acting: session?.acting ?? null }),
    sessions: {
      list: sessions.list,
      revoke: async (id, userId, { request = null } = {}) => {
        assertTexts('sessions.revoke', { id, userId })
        return revokeSession(id, userId, request, services.sessionManager)
      }
    }
  }
}

/** Creates what counts how a user can sign in. */
function createCount({ store, accountRules }: Services): (userId: string) => Promise<number> {
  return async (userId) => (await loadLazyActions()).countWaysIn(userId, null, store, accountRules)
}

/** Creates what reads and renews the session of a request. */
function createSessionReaders(
  configFor: Postern['configFor']
): Pick<Postern, 'readSession' | 'updateSession' | 'getSession' | 'getToken'> {
  const readSession: Postern['readSession'] = ({ origin, cookies }) =>
    configFor(origin)?.sessions.read(cookies) ?? noSession
  return {
    readSession,
    updateSession: async ({ origin, cookies }, patch) =>
      configFor(origin)?.sessions.update(cookies, patch) ?? noSession,
    getSession: async (request) => (await readSession(sessionRequest(request))).session,
    getToken: async (request) => (await readSession(sessionRequest(request))).token
  }
}

/** Creates the handler of web requests. */
function createFetch(
  { basePath, pathPrefix, constants, features }: Services,
  respond: Postern['respond']
): Postern['fetch'] {
  return async (request, connection) => {
    // Servers call a handler with values of their own, such as the environment of Cloudflare.
    const client = typeof connection?.client === 'string' ? connection.client : null
    try {
      const { pathname } = new URL(request.url)
      const moved = findMovedPage(features, pathname)
      const isAtRoot =
        moved !== null || features.routes.some(({ route }) => route.path === pathname && isWellKnown(pathname))
      const plainRequest = await fromWebRequest(request, isAtRoot ? '' : basePath.slice(pathPrefix.length), {
        limit: constants.bodyLimitBytes,
        client
      })
      if (!plainRequest) return toWebResponse(toPlainResponse(text('Error: there is no such page', 404)))
      return toWebResponse(
        await respond(moved === null ? plainRequest : { ...plainRequest, path: moved, isMoved: true })
      )
    } catch (error) {
      if (!(error instanceof BodyError)) throw error
      return toWebResponse(toPlainResponse(text(`Error: ${error.message}`, error.status)))
    }
  }
}

/** Ends what runs in the background. */
async function close({ registration, expiredRowCleanup, tasks, features, notices }: Services): Promise<void> {
  registration.close()
  await expiredRowCleanup?.stop()
  await tasks.finished()
  await features.close()
  await notices.close()
}

/** Logs what the adapter finds in the database that does not fit. The database may be starting: a failure is not a problem. */
async function warnOfAdapterProblems({ store, logger }: Services): Promise<void> {
  const problems = (await store?.findProblems?.().catch(() => null)) ?? []
  for (const { code, message } of problems) logger.warn(code, message)
}

/** Checks the providers after the first requests: the check reads code that they do not need. */
function createProviderCheck(services: Services) {
  let isStopped = false
  const check = async (): Promise<void> => (await loadLazyActions()).warnOfProviderProblems(services)
  return {
    start: (): void => {
      // Other providers need no code that calls out at the start.
      if ([...services.providers.values()].some((provider) => provider.kind === 'oauth' && provider.wellKnown))
        setUnrefTimeout(() => {
          if (!isStopped) services.tasks.run('providers', check)
        }, checkDelay)
    },
    stop: (): void => {
      isStopped = true
    }
  }
}

/**
 * Validates the options and creates a Postern instance.
 *
 * @param environment - Values for unset options. @defaultValue `process.env`
 * @throws ConfigError every configuration error at once, with a fix for each.
 */
export function createPostern<const O extends PosternOptions>(
  options: O,
  environment?: Environment
): Postern<SessionOf<O>>
export function createPostern(
  options: PosternOptions,
  environment: Environment = globalThis.process?.env ?? {}
): Postern {
  const { services, configFor, fixed, sessionCookies } = resolve(options, environment)
  const redirectUris = getRedirectUris(fixed)
  const accounts = accountControl(services, redirectUris)
  const sessions = sessionControl(services, configFor)
  const operations = createOperations(accounts, sessions, services)
  connectFeatures(services, operations, createCount(services), fixed?.origin ?? null)
  services.tasks.run('stored keys', () => warnOfMissingKeys(services))
  services.tasks.run('stored rows', () => warnOfAdapterProblems(services))
  const respond = createHandler(configFor)
  const providerCheck = createProviderCheck(services)
  return {
    ...createSessionReaders(configFor),
    basePath: services.basePath,
    application: { id: services.application.id, sessionCookies },
    setCookieHeaders: (cookies) => serializeCookies(cookies, services.runtime.now()),
    openSession: (user, origin, signIn = {}) => openSession(user, signIn, configFor(origin)),
    ...accounts,
    unlink: async (userId, account, options) => void (await accounts.unlink(userId, account, options)),
    deleteUser: (userId, options) => accounts.deleteUser(userId, options),
    ...dataControl(services),
    ...formControl(configFor),
    ...mailControl(services, configFor),
    ...signInControl(services, configFor),
    oneTimeTokens: oneTimeTokens(services),
    sessions,
    users: userControl(services, configFor),
    events: eventControl(services),
    checkProviders: providerCheck.start,
    close: () => {
      providerCheck.stop()
      return close(services)
    },
    routes: [...routes.flatMap(toPublicRoutes), ...featureRoutes(services.features)],
    features: services.features.apis,
    storesAuthentication: services.storesAuthentication,
    redirectUris,
    respond,
    configFor,
    handle: async (request) => {
      const config = configFor(request.origin)
      return config ? handle(request, config) : wrongHost
    },
    fetch: createFetch(services, respond)
  }
}
