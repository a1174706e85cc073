import { changeAccess, type PlanChange } from '../accounts/change-access.ts'
import type { FeatureWrite } from '../accounts/commit-writes.ts'
import type { Store } from '../adapter/store.ts'
import { applyCookies, joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { type CsrfTokenDeps, pageCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { getLanguagePreference } from '../http/accept-language.ts'
import { type ActionResult, json, page } from '../http/action-result.ts'
import { type AuthRequest, acceptsJsonOnly, wantsJson } from '../http/request.ts'
import { createByLanguage } from '../model/by-language.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { RateLimiter } from '../model/rate-limiter.ts'
import type { Renderer } from '../model/renderer.ts'
import { type RedirectDeps, resolveCallbackUrl } from '../redirects/callback-url.ts'
import { refuseActor } from '../sessions/impersonation.ts'
import type { ActingSession, Principal, SessionReader } from '../sessions/strategy.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import type { ChangeAccessOptions, FeatureBrowser, FeatureRequest, FeatureTexts, ScreenOptions } from './feature.ts'
import { toStoreWrites } from './feature-context.ts'
import type { RegisteredFeature } from './registered-feature.ts'
import type { FeatureRegistry } from './registry.ts'
import { pickScreenTexts } from './screen-texts.ts'
import { limitAccessChange } from './user-limit.ts'
import type { OperationSession } from './user-operations.ts'

/** What a request to a feature is created from. */
export interface FeatureRequestDeps {
  readonly origin: string
  readonly basePath: string
  readonly siteName: string
  readonly siteUrl: string
  readonly hasSecureCookies: boolean
  readonly csrf: CsrfTokenDeps
  readonly redirects: RedirectDeps
  readonly sessionReader: SessionReader
  /** Finds the session of a request, to change what its user signs in with; `null` if no user is signed in. */
  readonly findActingSession: (cookies: RequestCookies) => Promise<ActingSession | null>
  readonly userVersions: UserVersions
  readonly store: Store | null
  readonly limiter: RateLimiter | null
  readonly features: Pick<FeatureRegistry, 'addressRequests' | 'keepBrowser'>
  /** Whether the route may be called by a user who impersonates another. @defaultValue `false` */
  readonly allowsImpersonation?: boolean
  /** Finds this browser as a device of a user. @defaultValue none is known */
  readonly findKnownDevice?: (userId: string) => Promise<string | null>
  /** Remembers this browser after a change of its user. @defaultValue none is known */
  readonly renewDevice?: (user: { readonly userId: string; readonly version: number }) => Promise<SetCookies>
  readonly renderer: Renderer
  /** The scripts of the screens. */
  readonly scripts: FeatureRegistry['screenScripts']
}

type ScreenFeature = Pick<RegisteredFeature, 'id' | 'screens' | 'texts'>

/** @returns The texts of both, by language. */
const mergeTexts = (own: FeatureTexts, more: FeatureTexts): FeatureTexts =>
  createByLanguage([...Object.keys(own), ...Object.keys(more)], (language) => ({ ...own[language], ...more[language] }))

/** The texts in the language of the user. */
async function readTexts(
  texts: FeatureTexts,
  request: AuthRequest,
  renderer: Renderer
): Promise<Readonly<Record<string, string>>> {
  const preference = getLanguagePreference(request)
  await renderer.prepare?.(preference)
  return renderer.featureTexts?.(texts, preference) ?? texts.en
}

async function showScreen(
  request: AuthRequest,
  { id, screens, texts: own }: ScreenFeature,
  { csrf, renderer, scripts }: FeatureRequestDeps,
  {
    name,
    props,
    options: { status = 200, cookies = new Map(), texts }
  }: {
    readonly name: string
    readonly props: object
    readonly options: ScreenOptions
  }
): Promise<ActionResult> {
  const screen = screens.find((known) => known.name === name)
  if (!screen) throw new TypeError(`features.${id}: there is no screen with the name ${name}`)
  const { token: csrfToken, cookies: csrfCookies } = await pageCsrfToken(request.cookies, csrf)
  const all = joinCookies(csrfCookies, cookies)
  const allTexts = texts ? mergeTexts(own, texts) : own
  if (wantsJson(request) || acceptsJsonOnly(request)) {
    const translated = await readTexts(allTexts, request, renderer)
    const shown = { title: translated[screen.title] ?? name, texts: pickScreenTexts(props, translated) }
    return json({ screen: `${id}/${name}`, ...shown, props, csrfToken }, all, status)
  }
  const content = {
    name: 'feature',
    id: `${id}/${name}`,
    screen,
    props: { ...props },
    texts: allTexts,
    csrfToken,
    scripts: scripts.get(screen) ?? []
  } as const
  return page(content, all, status)
}

/** A request to a feature, and the cookies that its response sets whatever the feature returns. */
export interface OwnFeatureRequest extends FeatureRequest {
  /** The cookies of the session's new token, if it got one. */
  readonly getSessionCookies: () => SetCookies
}

/** The functions of a request that read or replace its session. */
type SessionFunctions = Pick<
  OwnFeatureRequest,
  | ('getUser' | 'requireUser' | 'confirmUser' | 'changeAccess' | 'endOtherSessions' | 'getSession')
  | ('getSessionCookies' | 'getAuthentication' | 'getKnownDevice' | 'getClaims')
>

/** Reads and changes the session of a request, also after it got a new token. */
class RequestSession {
  readonly #browser: FeatureBrowser
  readonly #id: string
  readonly #deps: FeatureRequestDeps
  #user: Promise<Principal | null> | null = null
  /** The cookies of the session's new token. */
  #replaced = noCookies

  constructor(browser: FeatureBrowser, id: string, deps: FeatureRequestDeps) {
    this.#browser = browser
    this.#id = id
    this.#deps = deps
  }

  get replaced(): SetCookies {
    return this.#replaced
  }

  get cookies(): RequestCookies {
    return applyCookies(this.#browser.cookies, this.#replaced)
  }

  /** Reads the user once. */
  readUser(): Promise<Principal | null> {
    this.#user ??= this.#deps.sessionReader.readUser(this.#browser.cookies)
    return this.#user
  }

  /** @throws AuthError `SessionRequired` */
  require<T>(found: T | null): T {
    if (found !== null) return found
    throw new AuthError('SessionRequired', `features.${this.#id}: expected a signed-in user`)
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden` */
  async requireUser(): Promise<Principal> {
    const user = this.require(await this.readUser())
    if (!this.#deps.allowsImpersonation) refuseActor(user, `features.${this.#id}`)
    return user
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `StoreUnavailable` */
  async confirmUser(): Promise<Principal & { readonly version: number }> {
    const { store, sessionReader } = this.#deps
    const user = await this.requireUser()
    const row = await store?.versions?.get(user.userId)
    if (!row) return { ...this.require(await sessionReader.readUserUncached(this.cookies)), version: 0 }
    const acting = await this.#requireActing(user)
    this.require((await acting.isAllowed(row)) || null)
    return { ...user, version: row.version }
  }

  async #requireActing({ userId }: Principal): Promise<ActingSession> {
    const acting = this.require(await this.#deps.findActingSession(this.cookies))
    return this.require(acting.userId === userId ? acting : null)
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable` */
  async act({ isLimited = true }: ChangeAccessOptions = {}): Promise<OperationSession> {
    const { features, limiter } = this.#deps
    const user = await this.requireUser()
    const { userId } = user
    if (isLimited) await limitAccessChange({ userId, device: await this.findKnownDevice(userId) }, limiter)
    const keep = await features.keepBrowser(userId, { ...this.#browser, cookies: this.cookies })
    return {
      acting: await this.#requireActing(user),
      continueWith: async ({ version, cookies }) => {
        this.#replaced = joinCookies(this.#replaced, cookies)
        const renewed = await this.#deps.renewDevice?.({ userId, version })
        this.#replaced = joinCookies(this.#replaced, renewed ?? noCookies, await keep(version))
      }
    }
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable` */
  async change<R extends string>(
    plan: PlanChange<R>,
    options: ChangeAccessOptions = {}
  ): Promise<'changed' | 'conflict' | R> {
    const { addressRequests } = this.#deps.features
    const { acting, continueWith } = await this.act(options)
    const { userId } = acting
    const toStored = (write: FeatureWrite) => toStoreWrites(this.#id, write, addressRequests)
    const outcome = await changeAccess({ userId, acting }, plan, toStored, this.#deps.userVersions)
    if (outcome.kind === 'refused') return outcome.reason
    if (outcome.cookies.size > 0) await continueWith(outcome)
    return 'changed'
  }

  async findKnownDevice(userId: string): Promise<string | null> {
    return (await this.#deps.findKnownDevice?.(userId)) ?? null
  }
}

function createSessionFunctions(browser: FeatureBrowser, id: string, deps: FeatureRequestDeps): SessionFunctions {
  const { sessionReader } = deps
  const session = new RequestSession(browser, id, deps)
  return {
    getUser: () => session.readUser(),
    requireUser: () => session.requireUser(),
    confirmUser: () => session.confirmUser(),
    changeAccess: (plan, options) => session.change(plan, options),
    // Nobody must be able to prevent it.
    endOtherSessions: async (writes = []) => {
      const outcome = await session.change(() => ({ ends: 'others', writes }), { isLimited: false })
      if (outcome !== 'changed') throw new AuthError('Verification', `features.${id}: a write found nothing to change`)
    },
    getSession: (options) => session.act(options),
    getSessionCookies: () => session.replaced,
    getAuthentication: () => sessionReader.readAuthentication(session.cookies),
    getKnownDevice: async () => session.findKnownDevice(session.require(await session.readUser()).userId),
    getClaims: async (featureId = id) => (await sessionReader.readClaims(session.cookies))?.[featureId] ?? null
  }
}

/** Creates the request that the functions of a feature receive. */
export function createFeatureRequest(
  request: AuthRequest,
  params: Readonly<Record<string, string>>,
  feature: ScreenFeature,
  deps: FeatureRequestDeps
): OwnFeatureRequest {
  const { origin, basePath, siteName, siteUrl, hasSecureCookies, csrf, redirects } = deps
  return {
    ...request,
    params,
    origin,
    basePath,
    siteName,
    siteUrl,
    hasSecureCookies,
    ...createSessionFunctions({ cookies: request.cookies, hasSecureCookies }, feature.id, deps),
    csrfToken: () => pageCsrfToken(request.cookies, csrf),
    callbackUrl: async () => (await resolveCallbackUrl(request, redirects)).callbackUrl,
    screen: (name, props, options = {}) => showScreen(request, feature, deps, { name, props, options })
  }
}
