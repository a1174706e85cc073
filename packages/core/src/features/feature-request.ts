import { applyCookies, joinCookies, noCookies } from '../cookies/set-cookies.ts'
import { type CsrfTokenDeps, pageCsrfToken } from '../csrf/csrf-token.ts'
import { AuthError } from '../errors/auth-error.ts'
import { getLanguagePreference } from '../http/accept-language.ts'
import { type ActionResult, json, page } from '../http/action-result.ts'
import { type AuthRequest, acceptsJsonOnly, wantsJson } from '../http/request.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Renderer } from '../model/renderer.ts'
import { type RedirectDeps, resolveCallbackUrl } from '../redirects/callback-url.ts'
import { refuseActor } from '../sessions/impersonation.ts'
import type { Principal, SessionReader } from '../sessions/strategy.ts'
import type { FeatureRequest, FeatureTexts, ScreenOptions } from './feature.ts'
import type { RegisteredFeature } from './registered-feature.ts'
import type { FeatureRegistry } from './registry.ts'
import { pickScreenTexts } from './screen-texts.ts'

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
  /** Ends the other sessions of the signed-in user; `null` if no user is signed in. */
  readonly endOtherSessions: (cookies: RequestCookies) => Promise<SetCookies | null>
  /** Gives the session a new token; `null` if no user is signed in. */
  readonly reissueSession: (cookies: RequestCookies) => Promise<SetCookies | null>
  /** Whether the route may be called by a user who impersonates another. @defaultValue `false` */
  readonly allowsImpersonation?: boolean
  /** Finds this browser as a device of a user. @defaultValue none is known */
  readonly findKnownDevice?: (userId: string) => Promise<string | null>
  readonly renderer: Renderer
  /** The scripts of the screens. */
  readonly scripts: FeatureRegistry['screenScripts']
}

type ScreenFeature = Pick<RegisteredFeature, 'id' | 'screens' | 'texts'>

/** @returns The texts of both, by language. */
function mergeTexts(own: FeatureTexts, more: FeatureTexts): FeatureTexts {
  const merged: Record<string, Readonly<Record<string, string>>> = { ...own }
  for (const [language, texts] of Object.entries(more)) merged[language] = { ...merged[language], ...texts }
  return { ...merged, en: { ...own.en, ...more.en } }
}

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

type ScreenDeps = Pick<FeatureRequestDeps, 'csrf' | 'renderer' | 'scripts'>

async function showScreen(
  request: AuthRequest,
  { id, screens, texts: own }: ScreenFeature,
  { csrf, renderer, scripts }: ScreenDeps,
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
  | 'getUser'
  | 'requireUser'
  | 'confirmUser'
  | 'endOtherSessions'
  | 'reissueSession'
  | 'getSessionCookies'
  | 'getAuthentication'
  | 'getKnownDevice'
  | 'getClaims'
>

/** Reads the session of a request, also after it got a new token. */
function createSessionFunctions(request: AuthRequest, id: string, deps: FeatureRequestDeps): SessionFunctions {
  const { sessionReader, endOtherSessions, reissueSession, allowsImpersonation = false } = deps
  let read: Promise<Principal | null> | null = null
  const getUser = (): Promise<Principal | null> => {
    read ??= sessionReader.readUser(request.cookies)
    return read
  }
  const requireSession = <T>(found: T | null): T => {
    if (found !== null) return found
    throw new AuthError('SessionRequired', `features.${id}: expected a signed-in user`)
  }
  const requireUser = (user: Principal | null): Principal => {
    const found = requireSession(user)
    if (!allowsImpersonation) refuseActor(found, `features.${id}`)
    return found
  }
  let replaced = noCookies
  const getCookies = (): RequestCookies => applyCookies(request.cookies, replaced)
  const replace = async (getNext: FeatureRequestDeps['reissueSession']): Promise<SetCookies> => {
    const next = await getNext(getCookies()).catch((error: unknown) => {
      if (error instanceof AuthError) replaced = joinCookies(replaced, error.cookies)
      throw error
    })
    replaced = next === null ? noCookies : joinCookies(replaced, next)
    return requireSession(next && replaced)
  }
  return {
    getUser,
    requireUser: async () => requireUser(await getUser()),
    confirmUser: async () => requireUser(await sessionReader.readUserUncached(getCookies())),
    endOtherSessions: () => replace(endOtherSessions),
    reissueSession: () => replace(reissueSession),
    getSessionCookies: () => replaced,
    getAuthentication: () => sessionReader.readAuthentication(getCookies()),
    getKnownDevice: async () => {
      const { userId } = requireSession(await getUser())
      return (await deps.findKnownDevice?.(userId)) ?? null
    },
    getClaims: async (featureId = id) => (await sessionReader.readClaims(getCookies()))?.[featureId] ?? null
  }
}

/** Creates the request that the functions of a feature receive. */
export function createFeatureRequest(
  request: AuthRequest,
  params: Readonly<Record<string, string>>,
  feature: ScreenFeature,
  deps: FeatureRequestDeps
): OwnFeatureRequest {
  const { origin, basePath, siteName, siteUrl, hasSecureCookies, csrf, redirects, renderer, scripts } = deps
  return {
    ...request,
    params,
    origin,
    basePath,
    siteName,
    siteUrl,
    hasSecureCookies,
    ...createSessionFunctions(request, feature.id, deps),
    csrfToken: () => pageCsrfToken(request.cookies, csrf),
    callbackUrl: async () => (await resolveCallbackUrl(request, redirects)).callbackUrl,
    screen: (name, props, options = {}) =>
      showScreen(request, feature, { csrf, renderer, scripts }, { name, props, options })
  }
}
