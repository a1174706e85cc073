import { changeAccess, type PlanChange } from '../accounts/change-access.ts'
import type { FeatureWrite } from '../accounts/commit-writes.ts'
import type { Config } from '../config/config.ts'
import { applyCookies, joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { AuthError } from '../errors/auth-error.ts'
import type {
  ChangeAccessOptions,
  FeatureBrowser,
  FeatureRequest,
  FeatureTexts,
  ScreenOptions
} from '../features/feature.ts'
import { toStoreWrites } from '../features/feature-context.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import { limitAccessChange } from '../features/user-limit.ts'
import type { OperationSession } from '../features/user-operations.ts'
import { getLanguagePreference } from '../http/accept-language.ts'
import { type ActionResult, json, page } from '../http/action-result.ts'
import { type AuthRequest, acceptsJsonOnly, wantsJson } from '../http/request.ts'
import { createByLanguage } from '../model/by-language.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Renderer } from '../model/renderer.ts'
import { createImpersonationError } from '../sessions/impersonation.ts'
import type { ActingSession, Principal } from '../sessions/strategy.ts'
import { findDeviceByUser, renewDevice } from './known-device.ts'

/** What a route of a feature allows. Other functions of features have none of it. */
export interface RouteRequestOptions {
  /** The parameters of its path. */
  readonly params: Readonly<Record<string, string>>
  /** Whether it may be called by a user who impersonates another. */
  readonly allowsImpersonation: boolean
}

/** The strings of a value, at any depth. */
function* listStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* listStrings(part)
}

/** @returns The texts whose keys are among the values of a screen, for clients that draw the screen themselves. */
function pickScreenTexts(props: object, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const keys = new Set(listStrings(props))
  return Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)))
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
  { csrf, features, renderContext: { renderer } }: Config,
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
  const { token: csrfToken, cookies: csrfCookies } = await csrf.readOrIssue(request.cookies)
  const all = joinCookies(csrfCookies, cookies)
  const allTexts = texts ? mergeTexts(own, texts) : own
  if (wantsJson(request) || acceptsJsonOnly(request)) {
    const translated = await readTexts(allTexts, request, renderer)
    const shown = {
      screen: `${id}/${name}`,
      title: translated[screen.title] ?? name,
      texts: pickScreenTexts(props, translated),
      props,
      csrfToken
    }
    return json(shown, all, status)
  }
  const content = {
    name: 'feature',
    id: `${id}/${name}`,
    screen,
    props: { ...props },
    texts: allTexts,
    csrfToken,
    scripts: features.screenScripts.get(screen) ?? []
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
  readonly #config: Config
  readonly #route: RouteRequestOptions | null
  #user: Promise<Principal | null> | null = null
  /** The cookies of the session's new token. */
  #replaced = noCookies

  constructor(cookies: RequestCookies, id: string, config: Config, route: RouteRequestOptions | null) {
    this.#browser = { cookies, hasSecureCookies: config.hasSecureCookies }
    this.#id = id
    this.#config = config
    this.#route = route
  }

  get replaced(): SetCookies {
    return this.#replaced
  }

  get cookies(): RequestCookies {
    return applyCookies(this.#browser.cookies, this.#replaced)
  }

  /** Reads the user once. */
  readUser(): Promise<Principal | null> {
    this.#user ??= this.#config.sessionReader.readUser(this.#browser.cookies)
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
    if (user.actor && !this.#route?.allowsImpersonation) throw createImpersonationError(`features.${this.#id}`)
    return user
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `StoreUnavailable` */
  async confirmUser(): Promise<Principal & { readonly version: number }> {
    const { store, sessionReader } = this.#config
    const user = await this.requireUser()
    const row = await store?.versions?.get(user.userId)
    if (!row) return { ...this.require(await sessionReader.readUserUncached(this.cookies)), version: 0 }
    const acting = await this.#requireActing(user)
    this.require((await acting.isAllowed(row)) || null)
    return { ...user, version: row.version }
  }

  async #requireActing({ userId }: Principal): Promise<ActingSession> {
    const acting = this.require(await this.#config.sessions.act(this.cookies))
    return this.require(acting.userId === userId ? acting : null)
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable` */
  async act({ isLimited = true }: ChangeAccessOptions = {}): Promise<OperationSession> {
    const { features, limits } = this.#config
    const user = await this.requireUser()
    const { userId } = user
    if (isLimited)
      await limitAccessChange({ userId, device: await this.findKnownDevice(userId) }, limits?.limiter ?? null)
    const keep = await features.keepBrowser(userId, { ...this.#browser, cookies: this.cookies })
    return {
      acting: await this.#requireActing(user),
      continueWith: async ({ version, cookies }) => {
        this.#replaced = joinCookies(this.#replaced, cookies)
        const renewed = this.#route
          ? await renewDevice({ userId, version }, this.#browser.cookies, this.#config)
          : noCookies
        this.#replaced = joinCookies(this.#replaced, renewed, await keep(version))
      }
    }
  }

  /** @throws AuthError `SessionRequired`, `ImpersonationForbidden`, `RateLimited`, `StoreUnavailable` */
  async change<R extends string>(
    plan: PlanChange<R>,
    options: ChangeAccessOptions = {}
  ): Promise<'changed' | 'conflict' | R> {
    const { addressRequests } = this.#config.features
    const { acting, continueWith } = await this.act(options)
    const { userId } = acting
    const toStored = (write: FeatureWrite) => toStoreWrites(this.#id, write, addressRequests)
    const outcome = await changeAccess({ userId, acting }, plan, toStored, this.#config.userVersions)
    if (outcome.kind === 'refused') return outcome.reason
    if (outcome.cookies.size > 0) await continueWith(outcome)
    return 'changed'
  }

  async findKnownDevice(userId: string): Promise<string | null> {
    return this.#route ? findDeviceByUser(userId, this.#browser.cookies, this.#config) : null
  }
}

function createSessionFunctions(session: RequestSession, id: string, { sessionReader }: Config): SessionFunctions {
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

/**
 * Creates the request that the functions of a feature receive.
 *
 * @param route - `null` if it is not one of a route of the feature.
 */
export function createFeatureRequest(
  request: AuthRequest,
  feature: ScreenFeature,
  config: Config,
  route: RouteRequestOptions | null = null
): OwnFeatureRequest {
  const { origin, basePath, hasSecureCookies, csrf, redirects, renderContext } = config
  const session = new RequestSession(request.cookies, feature.id, config, route)
  return {
    ...request,
    params: route?.params ?? {},
    origin,
    basePath,
    siteName: renderContext.pageContext.siteName,
    siteUrl: redirects.settings.home,
    hasSecureCookies,
    ...createSessionFunctions(session, feature.id, config),
    csrfToken: async () => csrf.readOrIssue(request.cookies),
    callbackUrl: async () => (await redirects.resolve(request)).callbackUrl,
    screen: (name, props, options = {}) => showScreen(request, feature, config, { name, props, options })
  }
}
