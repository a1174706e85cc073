import type { AccountKey } from '../adapter/adapter.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import { joinCookies } from '../cookies/set-cookies.ts'
import { handleRejection, UserCodeError } from '../errors/user-code.ts'
import type { FeatureHooks } from '../hooks/feature-hooks.ts'
import type { AfterEvent, OnEvent, SecurityEvent } from '../hooks/security-event.ts'
import type { Authentication } from '../model/authentication.ts'
import { createByLanguage } from '../model/by-language.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { ByLanguage, CodeExplanation, FeatureScreen } from '../model/feature-page.ts'
import type { SignInLinkPurpose, SignInOptionTexts } from '../model/page.ts'
import type { Asset } from '../model/renderer.ts'
import type { SessionClaims } from '../model/session-claims.ts'
import { listKindsThatEndWith } from '../model/ticket-kinds.ts'
import { BackgroundTasks } from './background-tasks.ts'
import { confirmLink } from './confirm-link.ts'
import type {
  FeatureBrowser,
  FeatureMail,
  FeatureRoute,
  FeatureTexts,
  RegisteredEventType,
  RegisteredSection,
  SignInMethod
} from './feature.ts'
import { storedTicketKind, toStoredCall } from './feature-context.ts'
import type { MailTexts } from './feature-mailer.ts'
import { createMovePage, fillPath } from './moved-pages.ts'
import type { OnRefusal } from './refusal.ts'
import type { RegisteredFeature, RegisteredInterruption } from './registered-feature.ts'
import { translate } from './translate.ts'

/** A script of a feature as a file. */
interface ScriptAsset {
  readonly name: string
  readonly asset: Asset
}

/** FNV-1a with 64 bits, as two numbers of 32 bits. It names a file after its content, and protects nothing. */
function contentHash(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325]
  for (const byte of new TextEncoder().encode(text)) {
    const mixed = (low ^ byte) >>> 0
    // The prime is 2 ** 40 + 0x1b3.
    const product = mixed * 0x1b3
    high = (high * 0x1b3 + Math.floor(product / 2 ** 32) + mixed * 2 ** 8) % 2 ** 32
    low = product % 2 ** 32
  }
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
}

/** The names of scripts: every application with a feature has the same. */
const hashes = new Map<string, string>()

/** @returns The file of a script, whose name changes with its content; none without a script. */
export function createScriptAssets(featureId: string, script: string | undefined): readonly ScriptAsset[] {
  if (script === undefined) return []
  const asset = { contentType: 'text/javascript; charset=utf-8', body: script }
  const hash = hashes.get(script) ?? contentHash(script)
  hashes.set(script, hash)
  return [{ name: `${featureId}-${hash}.js`, asset }]
}

/** A route, and the feature that it belongs to. */
export interface RegisteredRoute {
  readonly route: FeatureRoute
  readonly feature: RegisteredFeature
  /** The parts of the path; a part that starts with a colon is a parameter. */
  readonly segments: readonly string[]
  /** The path of the application at which the page is; `null` for the base path. */
  readonly movedTo: string | null
}

/** A sign-in method, and the feature that it belongs to. */
export interface RegisteredSignInMethod {
  readonly method: SignInMethod
  readonly feature: RegisteredFeature
  /** Its texts on the sign-in page; `null` if they are the same in every language. */
  readonly texts: ByLanguage<SignInOptionTexts> | null
}

/** An error code of a feature. */
export interface RegisteredError {
  readonly screen: 'signin' | 'error'
  readonly status: number
  readonly explanation: ByLanguage<CodeExplanation>
}

/** The texts of a mail, translated when it is sent: a process sends few of all mails. */
type TranslatedMail = () => ByLanguage<MailTexts>

/** What features add to the sign-in page. */
export interface RegisteredSignInPage {
  /** Below the base path. */
  readonly links: readonly {
    readonly path: string
    readonly text: ByLanguage<string>
    readonly purpose: SignInLinkPurpose
    /** The ids of the sign-in methods of the feature. */
    readonly methods: readonly string[]
  }[]
  /** The names of the files. */
  readonly scripts: readonly string[]
  /** The paths below the base path that the scripts may send requests to. */
  readonly connect: readonly string[]
  readonly identifierAttributes: readonly {
    readonly featureId: string
    readonly attributes: Readonly<Record<string, string>>
  }[]
}

/** The features of a registration: what each place of the core asks for. */
export interface FeatureRegistry extends FeatureHooks {
  readonly features: readonly RegisteredFeature[]
  readonly routes: readonly RegisteredRoute[]
  /** By the id of the provider. */
  readonly signInMethods: ReadonlyMap<string, RegisteredSignInMethod>
  /** In the order in which they interrupt. */
  readonly interruptions: readonly RegisteredInterruption[]
  /** Whether features have interruptions: the built-in one is about a link. */
  readonly hasInterruptions: boolean
  readonly accountSections: readonly RegisteredSection[]
  /** The path of the application below which the pages of the account are; `null` for the base path. */
  readonly accountPath: string | null
  readonly signInPage: RegisteredSignInPage
  /** The scripts of the screens, by screen. */
  readonly screenScripts: ReadonlyMap<FeatureScreen, readonly string[]>
  /** The files of scripts, by name. */
  readonly assets: ReadonlyMap<string, Asset>
  /** By the id of the feature and the name of the mail. */
  readonly mails: ReadonlyMap<string, TranslatedMail>
  /** By code. */
  readonly errors: ReadonlyMap<string, RegisteredError>
  /** Reports a refusal to the features; `null` if no feature asked for that. */
  readonly onRefusal: OnRefusal | null
  /** The types of the events of all features. */
  readonly eventTypes: Readonly<Record<string, RegisteredEventType>>
  /** Seconds; `null` if no feature states it. */
  readonly eventMaxAge: number | null
  readonly start: () => void
  readonly close: () => Promise<void>
  /** What the features state about a new session; `null` if none states anything. */
  readonly createClaims:
    | ((authentication: Authentication, account: AccountKey | null) => Promise<SessionClaims | null>)
    | null
  /** Whether a feature states claims. */
  readonly hasClaims: boolean
  /** Keeps what features know about a browser. @returns Creates the cookies, after the change that makes it void. */
  readonly keepBrowser: (userId: string, browser: FeatureBrowser) => Promise<(version: number) => Promise<SetCookies>>
  readonly apis: Readonly<Record<string, unknown>>
  /** The kinds of tickets, as the store names them, that are deleted when the address of a user changes. */
  readonly addressRequests: readonly string[]
}

const toSegments = (path: string): readonly string[] => path.split('/').slice(1)

/** @returns The routes of the features, for {@link findFeatureRoute}. */
export function registerRoutes(features: readonly RegisteredFeature[]): readonly RegisteredRoute[] {
  const moved = createMovePage(features)
  return features.flatMap((feature) =>
    (feature.parts.routes ?? []).map((route) => ({
      route,
      feature,
      segments: toSegments(route.path),
      movedTo: moved?.getUrl(route) ?? null
    }))
  )
}

function translateMethod(
  { name, title, submit, labels }: SignInMethod,
  texts: FeatureTexts
): RegisteredSignInMethod['texts'] {
  if (title === undefined && submit === undefined && labels === undefined) return null
  const fields = Object.entries(labels ?? {})
  return translate(texts, (find) => ({
    name: find(title ?? '') ?? name,
    submit: find(submit ?? '') ?? null,
    labels: Object.fromEntries(fields.map(([field, key]) => [field, find(key) ?? '']))
  }))
}

function registerSignInMethods(feature: RegisteredFeature): readonly (readonly [string, RegisteredSignInMethod])[] {
  const { parts, texts } = feature
  return (parts.signInMethods ?? []).map((method) => [
    method.id,
    { method, feature, texts: translateMethod(method, texts) }
  ])
}

const translateMail = (
  { subject, text, button = '', emptyValues = {} }: FeatureMail,
  texts: FeatureTexts
): ByLanguage<MailTexts> =>
  translate(texts, (find) => ({
    subject: find(subject) ?? '',
    text: find(text) ?? '',
    button: find(button) ?? null,
    emptyValues: Object.fromEntries(Object.entries(emptyValues).map(([value, key]) => [value, find(key) ?? '']))
  }))

const registerMails = ({ id, parts, texts }: RegisteredFeature): readonly (readonly [string, TranslatedMail])[] =>
  (parts.mails ?? []).map((mail) => [`${id}/${mail.name}`, () => translateMail(mail, texts)])

function registerErrors({ parts, texts }: RegisteredFeature): readonly (readonly [string, RegisteredError])[] {
  return (parts.errors ?? []).map(({ code, text, next = '', screen = 'error', status = 403 }) => {
    const explanation = translate(texts, (find) => ({ text: find(text) ?? '', next: find(next) ?? '' }))
    return [code, { screen, status, explanation }] as const
  })
}

type FeatureScripts = Pick<FeatureRegistry, 'assets' | 'screenScripts'> & { readonly ofSignInPage: readonly string[] }

function registerScripts(features: readonly RegisteredFeature[]): FeatureScripts {
  const ofSignInPage = features.flatMap(({ id, parts }) => createScriptAssets(id, parts.signInPage?.script))
  const ofScreens = features.flatMap(({ id, screens }) =>
    screens.map((screen) => ({ screen, assets: createScriptAssets(id, screen.script) }))
  )
  const all = [...ofSignInPage, ...ofScreens.flatMap(({ assets }) => assets)]
  return {
    ofSignInPage: ofSignInPage.map(({ name }) => name),
    screenScripts: new Map(ofScreens.map(({ screen, assets }) => [screen, assets.map(({ name }) => name)])),
    assets: new Map(all.map(({ name, asset }) => [name, asset]))
  }
}

function registerSignInPage(features: readonly RegisteredFeature[], scripts: readonly string[]): RegisteredSignInPage {
  return {
    scripts,
    connect: [...new Set(features.flatMap(({ parts }) => parts.signInPage?.connect ?? []))],
    links: features.flatMap(({ parts, texts }) =>
      (parts.signInPage?.links ?? []).map(({ title, path, purpose = null }) => ({
        path,
        text: translate(texts, (find) => find(title) ?? ''),
        purpose,
        methods: (parts.signInMethods ?? []).map(({ id: method }) => method)
      }))
    ),
    identifierAttributes: features.flatMap(({ id, parts }) => {
      const attributes = parts.signInPage?.identifierAttributes
      return attributes ? [{ featureId: id, attributes }] : []
    })
  }
}

function registerEvents(features: readonly RegisteredFeature[]): OnEvent | null {
  const observers = features.flatMap(({ id, parts: { onEvent } }) => (onEvent ? [{ id, onEvent }] : []))
  if (observers.length === 0) return null
  return (event) =>
    observers.flatMap(({ id, onEvent }) => {
      const calls = onEvent(event)
      if (handleRejection(calls)) throw new UserCodeError(`features.${id}: onEvent returned a promise, expected a list`)
      return calls.map((call) => toStoredCall(id, call))
    })
}

/** Calls the features in the background: nobody waits for the mails that they send. */
function registerAfterEvents(features: readonly RegisteredFeature[], tasks: BackgroundTasks): AfterEvent | null {
  const observers = features.flatMap(({ id, parts: { afterEvent } }) => (afterEvent ? [{ id, afterEvent }] : []))
  if (observers.length === 0) return null
  return (event: SecurityEvent) => {
    for (const { id, afterEvent } of observers) tasks.run(`features.${id}: afterEvent`, async () => afterEvent(event))
  }
}

function registerRefusals(features: readonly RegisteredFeature[], tasks: BackgroundTasks): OnRefusal | null {
  const observers = features.flatMap(({ id, parts: { onRefusal } }) => (onRefusal ? [{ id, onRefusal }] : []))
  if (observers.length === 0) return null
  return (refusal) => {
    for (const { id, onRefusal } of observers) {
      const logError = (error: unknown): void => tasks.logError(`features.${id}: onRefusal`, error)
      try {
        handleRejection(onRefusal(refusal), logError)
      } catch (error) {
        logError(error)
      }
    }
  }
}

/** The longest retention that features state. */
function getEventMaxAge(features: readonly RegisteredFeature[]): number | null {
  const stated = features.flatMap(({ parts: { eventMaxAge } }) => eventMaxAge ?? [])
  return stated.length > 0 ? Math.max(...stated) : null
}

async function closeFeatures(features: readonly RegisteredFeature[], tasks: BackgroundTasks): Promise<void> {
  for (const { id, parts } of features) {
    try {
      await parts.close?.()
    } catch (error) {
      tasks.logError(`features.${id}: close`, error)
    }
  }
}

function registerClaims(features: readonly RegisteredFeature[]): FeatureRegistry['createClaims'] {
  const stating = features.flatMap(({ id, parts: { claims } }) => (claims ? [{ id, claims }] : []))
  if (stating.length === 0) return null
  return async (authentication, account) => {
    const all: Record<string, Readonly<Record<string, unknown>>> = {}
    for (const { id, claims } of stating) {
      const stated = await claims(authentication, account)
      if (stated) all[id] = stated
    }
    return Object.keys(all).length > 0 ? all : null
  }
}

function registerKeepers(features: readonly RegisteredFeature[]): FeatureRegistry['keepBrowser'] {
  const keepers = features.flatMap(({ parts }) => parts.keepBrowser ?? [])
  return async (userId, browser) => {
    const kept: ((version: number) => SetCookies | PromiseLike<SetCookies>)[] = []
    for (const keepBrowser of keepers) {
      const create = await keepBrowser(userId, browser)
      if (create) kept.push(create)
    }
    return async (version) => joinCookies(...(await Promise.all(kept.map((create) => create(version)))))
  }
}

/** The hooks of all features that concern users. */
function createHooks(features: readonly RegisteredFeature[], tasks: BackgroundTasks): FeatureHooks {
  return {
    onEvent: registerEvents(features),
    afterEvent: registerAfterEvents(features, tasks),
    waysIn: async (userId, removed) => {
      let count = 0
      for (const { parts } of features) count += (await parts.waysIn?.(userId, removed)) ?? 0
      return count
    },
    waysInOf: async (methodId, userId) => {
      const owner = features.find(({ parts }) => parts.signInMethods?.some(({ id }) => id === methodId))
      return (await owner?.parts.waysIn?.(userId, null)) ?? null
    },
    endSession: async (ended) => {
      for (const { parts } of features) await parts.onSessionEnd?.(ended)
    },
    deleteUser: async (userId) => {
      for (const { parts } of features) await parts.onUserDelete?.(userId)
    },
    lastingTickets: async (userId) => {
      const keys: TicketKey[] = []
      for (const { id, parts } of features)
        for (const key of (await parts.lastingTickets?.(userId)) ?? [])
          keys.push({ ...key, kind: storedTicketKind(id, key.kind) })
      return keys
    },
    exportData: async (userId) => {
      const data: Record<string, unknown> = {}
      for (const { id, parts } of features) if (parts.exportData) data[id] = await parts.exportData(userId)
      return data
    }
  }
}

function registerEventTypes({ parts, texts }: RegisteredFeature): readonly (readonly [string, RegisteredEventType])[] {
  return Object.entries(parts.eventTypes ?? {}).map(([name, type]) => [name, { ...type, texts }])
}

/** Combines the parts of features. */
export function createRegistry(
  features: readonly RegisteredFeature[],
  tasks: BackgroundTasks = new BackgroundTasks()
): FeatureRegistry {
  const own = features.flatMap((feature) =>
    (feature.parts.interruptions ?? []).map((interruption) => ({ interruption, feature }))
  )
  const interruptions = [confirmLink, ...own].toSorted(
    (one, other) => one.interruption.order - other.interruption.order
  )
  const { ofSignInPage, ...scripts } = registerScripts(features)
  return {
    features,
    routes: registerRoutes(features),
    accountPath: createMovePage(features)?.accountPath ?? null,
    signInPage: registerSignInPage(features, ofSignInPage),
    ...scripts,
    signInMethods: new Map(features.flatMap(registerSignInMethods)),
    interruptions,
    hasInterruptions: own.length > 0,
    accountSections: features
      .flatMap(({ id, parts, texts }) =>
        (parts.accountSections ?? []).map((section) => ({ ...section, featureId: id, texts }))
      )
      .toSorted((one, other) => one.order - other.order),
    mails: new Map(features.flatMap(registerMails)),
    errors: new Map(features.flatMap(registerErrors)),
    onRefusal: registerRefusals(features, tasks),
    eventTypes: Object.fromEntries(features.flatMap(registerEventTypes)),
    eventMaxAge: getEventMaxAge(features),
    start: () => {
      for (const { id, parts } of features)
        handleRejection(parts.start?.(), (error) => tasks.logError(`features.${id}: start`, error))
    },
    close: () => closeFeatures(features, tasks),
    createClaims: registerClaims(features),
    hasClaims: features.some(({ parts }) => parts.claims),
    keepBrowser: registerKeepers(features),
    addressRequests: [
      ...listKindsThatEndWith('address'),
      ...features.flatMap(({ id, parts }) => (parts.addressRequests ?? []).map((kind) => storedTicketKind(id, kind)))
    ],
    apis: Object.freeze(Object.fromEntries(features.map(({ id, parts }) => [id, parts.api]))),
    ...createHooks(features, tasks)
  }
}

/** A route for a request, and the parameters of its path. */
export interface FoundFeatureRoute extends RegisteredRoute {
  readonly params: Readonly<Record<string, string>>
}

/** @returns The route for a method and a path below the base path; HEAD uses the route of GET. */
export function findFeatureRoute(
  { routes }: Pick<FeatureRegistry, 'routes'>,
  method: string,
  path: string
): FoundFeatureRoute | null {
  for (const registered of routes) {
    if (registered.route.method !== (method === 'HEAD' ? 'GET' : method)) continue
    const params = matchPath(registered.segments, path)
    if (params) return { ...registered, params }
  }
  return null
}

/** @returns The parameters of the path; `null` if it does not match. */
function matchPath(segments: readonly string[], path: string): Readonly<Record<string, string>> | null {
  const parts = toSegments(path)
  if (segments.length !== parts.length) return null
  const isMatch = segments.every((segment, at) => (segment.startsWith(':') ? parts[at] !== '' : segment === parts[at]))
  if (!isMatch) return null
  const params = segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [[segment.slice(1), parts[at] ?? ''] as const] : []
  )
  return Object.fromEntries(params)
}

/** @returns The path below the base path of a page that is at a path of the application; `null` if there is none. */
export function findMovedPage({ routes }: Pick<FeatureRegistry, 'routes'>, path: string): string | null {
  for (const { route, movedTo } of routes) {
    const params = movedTo === null ? null : matchPath(toSegments(movedTo), path)
    if (params) return fillPath(route.path, params)
  }
  return null
}

/** @returns Whether a path below the base path is a page that a sign-in may return to. */
export function isFeaturePage(features: Pick<FeatureRegistry, 'routes'>, path: string): boolean {
  const found = findFeatureRoute(features, 'GET', path)
  return found !== null && (found.route.isReturnPage ?? found.route.access !== 'anyone')
}

/** @returns The name of a provider by language: that of a feature's sign-in method is translated, any other is the same in all. */
export function getProviderNames(
  { id, name }: { readonly id: string; readonly name: string },
  { signInMethods }: Pick<FeatureRegistry, 'signInMethods'>
): ByLanguage<string> {
  const texts = signInMethods.get(id)?.texts
  if (!texts) return { en: name }
  return createByLanguage(Object.keys(texts), (language) => (texts[language] ?? texts.en).name)
}
