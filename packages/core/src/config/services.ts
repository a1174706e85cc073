import type { Adapter } from '../adapter/adapter.ts'
import { type TableCiphers, withEncryption } from '../adapter/encrypted-store.ts'
import type { StoreSettings } from '../adapter/invoke.ts'
import type { Revocations, Store } from '../adapter/store.ts'
import { toRevocations, wrapAdapter } from '../adapter/wrap-adapter.ts'
import { withTimeLimit, wrapCallback } from '../errors/user-code.ts'
import { BackgroundTasks } from '../features/background-tasks.ts'
import { ExpiredRowCleanup } from '../features/expired-row-cleanup.ts'
import type { ProviderInfo } from '../features/feature.ts'
import { createFeatureMailer, createMailer } from '../features/feature-mailer.ts'
import { NoticeQueue } from '../features/notice-queue.ts'
import { createRegistry, type FeatureRegistry, getProviderNames } from '../features/registry.ts'
import type { UserOperations } from '../features/user-operations.ts'
import type { ThrownErrorPolicy } from '../hooks/authorize-sign-in.ts'
import { createEmitter } from '../hooks/events.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { createMailLanguage, type GetMailLanguage } from '../hooks/mail-language.ts'
import { MailTransport } from '../http/mail-transport.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import type { Logger } from '../model/logger.ts'
import type { Theme } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import { DatabaseSessionDirectory } from '../sessions/database-session-directory.ts'
import { JwtSessionDirectory } from '../sessions/jwt-session-directory.ts'
import { JwtSessionRegistry } from '../sessions/jwt-session-registry.ts'
import { RevocationList } from '../sessions/revocation-list.ts'
import { SessionManager } from '../sessions/session-manager.ts'
import { UserVersions } from '../sessions/user-versions.ts'
import { keyRing } from '../tokens/keys.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { ReplayCache } from '../tokens/replay-cache.ts'
import type { Constants, Limits, Pages, Services } from './config.ts'
import { findConfirmationProvider } from './confirmation.ts'
import { createDataEncryption } from './data-encryption.ts'
import { rateRules } from './defaults.ts'
import { missingToReclaim } from './missing-methods.ts'
import type { NormalizedOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'
import { createPageContext } from './page-context.ts'
import { type Registration, registerApplication } from './registrations.ts'
import { toSupportUrl } from './support-url.ts'

/** Wraps the application's callbacks with a timeout. An error that `signIn` throws may be shown to the user. */
function createHooks(
  { callbacks = {}, session: sessions = {} }: PosternOptions,
  { callbackTimeoutMilliseconds: time }: Constants
): Hooks {
  const { signIn, redirect, jwt, session } = callbacks
  const { remember } = sessions
  return {
    signIn: signIn ? withTimeLimit('callbacks.signIn', signIn.bind(callbacks), time) : null,
    redirect: redirect ? wrapCallback('callbacks.redirect', redirect.bind(callbacks), time) : null,
    jwt: jwt ? wrapCallback('callbacks.jwt', jwt.bind(callbacks), time) : null,
    session: session ? wrapCallback('callbacks.session', session.bind(callbacks), time) : null,
    remember:
      typeof remember === 'function'
        ? wrapCallback('session.remember', remember, time)
        : remember === false
          ? () => false
          : null
  }
}

/** @returns `null` if mails have the languages of the requests. */
function createGetLanguage(
  { callbacks = {} }: PosternOptions,
  { callbackTimeoutMilliseconds: time }: Constants,
  logger: Logger
): GetMailLanguage | null {
  const { language } = callbacks
  return language
    ? createMailLanguage(wrapCallback('callbacks.language', language.bind(callbacks), time), logger)
    : null
}

function resolvePages({ pages = {} }: PosternOptions): Pages {
  const { signIn, signOut, error, verifyRequest, newUser, account } = pages
  const text = (page: string | undefined): string | null => page || null
  return {
    signIn: text(signIn),
    signOut: text(signOut),
    error: text(error),
    verifyRequest: text(verifyRequest),
    newUser: newUser === true ? true : text(newUser),
    account: text(account)
  }
}

function resolveTheme({ theme = {} }: PosternOptions): Theme {
  const { colorScheme = 'auto', logo = '', brandColor = '', buttonText = '', name = '', radius = '', font = '' } = theme
  const links = { support: toSupportUrl(theme.links?.support ?? '') }
  return { colorScheme, logo, brandColor, buttonText, name, radius, font, links }
}

/** Resolves `errors`; in production, the first message that is shown is reported, without the message itself. */
function createThrownErrorPolicy({
  options: { errors = 'message' },
  isProduction,
  logger
}: NormalizedOptions): ThrownErrorPolicy {
  let isReported = !isProduction
  return {
    mode: errors,
    onMessage: (callee) => {
      if (isReported) return
      isReported = true
      logger.warn(
        'CONFIGURATION',
        `errors: the message of an error that ${callee} threw became part of a URL, which browsers and proxies record; ` +
          "throw a SignInError with a code, or set errors: 'code'"
      )
    }
  }
}

function resolveLimits({ rateLimit }: PosternOptions): Limits | null {
  if (rateLimit === false || !rateLimit?.limiter) return null
  const given = Object.fromEntries(Object.entries(rateLimit).filter(([, rule]) => rule !== undefined))
  return { limiter: rateLimit.limiter, ...rateRules, mailPerApplication: null, ...given }
}

/** Resolves the rules about accounts from the options. */
function resolveAccountRules(
  draft: NormalizedOptions,
  providers: Services['providers'],
  features: FeatureRegistry
): Services['accountRules'] {
  const { constants, runtime, isDatabaseSession } = draft
  const { linking, events, callbacks, session } = draft.options
  const { linkFreshWithin, callbackTimeoutMilliseconds: time } = constants
  const freshWithin = linking?.freshWithin ?? linkFreshWithin
  return {
    signedIn: linking?.signedIn ?? 'confirm',
    concealUsers: linking?.concealUsers ?? false,
    linkFreshWithin: freshWithin === false ? null : freshWithin,
    now: runtime.now,
    providers,
    isDatabaseSession,
    hasUnstoredUsers:
      !isDatabaseSession && [...providers.values()].some(({ traits }) => traits.accountPolicy === 'application'),
    features,
    hasCallbacks: Boolean(callbacks?.signIn ?? session?.remember),
    missingToReclaim: missingToReclaim(draft),
    reclaimUser: events?.reclaimUser ? wrapCallback('events.reclaimUser', events.reclaimUser.bind(events), time) : null
  }
}

function createOAuthContext(runtime: Runtime, constants: Constants, logger: Services['logger']): Services['oauth'] {
  const {
    keySetThrottle: throttle,
    providerRetryAfter: retryAfter,
    staleIfError,
    maxIssuers,
    clockTolerance
  } = constants
  const times = { throttle, staleIfError, retryAfter, maxIssuers }
  return {
    runtime,
    logger,
    keyTimes: { ...times, maxAge: constants.keySetMaxAge, cooldown: constants.keySetCooldown },
    metadataTimes: { ...times, maxAge: constants.metadataMaxAge },
    logouts: new ReplayCache(10_000, runtime.now),
    clockTolerance,
    maxBytes: constants.outboundMaxBytes
  }
}

/** Returns the settings for calls of a store. */
function storeSettings({ options, constants }: Pick<NormalizedOptions, 'options' | 'constants'>): StoreSettings {
  return { isDebugging: options.debug ?? false, timeout: constants.callbackTimeoutMilliseconds }
}

function createRevocations(store: Store | null, { options, constants, logger }: NormalizedOptions): Revocations | null {
  const given = options.session?.revocations
  if (given === false) return null
  return given ? toRevocations(given, logger, storeSettings({ options, constants })) : (store?.revocations ?? null)
}

/** Resolves the lifetime of a JWT session's token, in seconds; at most that of the session. */
function resolveTokenMaxAge({ session, jwt }: PosternOptions, constants: NormalizedOptions['constants']): number {
  const sessionMaxAge = session?.maxAge ?? constants.sessionMaxAge
  return Math.min(jwt?.maxAge ?? sessionMaxAge, sessionMaxAge)
}

function createExpiredRowCleanup(
  store: Store | null,
  { constants, runtime, logger }: NormalizedOptions,
  { features, eventMaxAge: featureMaxAge }: Pick<FeatureRegistry, 'features' | 'eventMaxAge'>
): ExpiredRowCleanup | null {
  const { cleaningInterval: interval, cleaningGrace: grace, cleaningBatch: batch } = constants
  const eventMaxAge = featureMaxAge ?? constants.eventMaxAge
  // Only features write events.
  const events = features.length > 0 && store ? store.events : null
  if (!store || (!store.deleteExpired && !events)) return null
  return new ExpiredRowCleanup(store.deleteExpired, events, logger, {
    now: runtime.now,
    interval,
    grace,
    eventMaxAge,
    batch
  })
}

/** Seconds for a token that is issued at this moment and lives longer, and for clock differences. */
const margin = 60

/** The maximum lifetime of a session. Another registration with the same store may issue JWT sessions with a longer one. */
function getMaxAge(tokenMaxAge: number, { sessionMaxAge, clockTolerance }: NormalizedOptions['constants']): number {
  return Math.max(tokenMaxAge, sessionMaxAge) + clockTolerance
}

/** Creates what identifies and revokes JWT sessions; `null` if neither the adapter nor the options store revocations. */
function createJwtSessionRegistry(
  store: Store | null,
  draft: NormalizedOptions,
  tokenMaxAge: number
): JwtSessionRegistry | null {
  const stored = createRevocations(store, draft)
  if (!stored) return null
  const { constants, runtime, logger } = draft
  const { now } = runtime
  const { revocationRefresh: refresh, revocationStale: stale, maxRevocations: max } = constants
  const settings = { now, refresh, stale, max, maxAge: getMaxAge(tokenMaxAge, constants) }
  const revocations = new RevocationList(stored, stored === store?.revocations, logger, settings)
  const requiresRecords = draft.options.session?.maxPerUser !== undefined
  return new JwtSessionRegistry(revocations, store, requiresRecords, { logger, now })
}

/**
 * Creates the services that list and end sessions, and that delete expired rows.
 *
 * Another registration may use the other session strategy with the same store. Ending all sessions of a user therefore
 * ends those of both strategies, as far as the adapter supports it.
 */
function createSessionServices(store: Store | null, draft: NormalizedOptions, features: FeatureRegistry) {
  const { options, constants, runtime, logger, isDatabaseSession } = draft
  const { now, randomBytes } = runtime
  const tokenMaxAge = resolveTokenMaxAge(options, constants)
  const expiredRowCleanup = createExpiredRowCleanup(store, draft, features)
  const registry = createJwtSessionRegistry(store, draft, tokenMaxAge)
  const maxAge = getMaxAge(tokenMaxAge, constants) + margin
  const userVersions = new UserVersions(store, registry, features, { maxAge, logger, now, randomBytes })
  const signed = new JwtSessionDirectory(store, registry, now)
  const stored = store && new DatabaseSessionDirectory(store, now)
  const isStored = isDatabaseSession && stored !== null
  return {
    tokenMaxAge,
    revocations: isStored ? null : (registry?.revocations ?? null),
    jwtSessionRegistry: isStored ? null : registry,
    sessionManager: isStored
      ? new SessionManager(stored, signed, userVersions)
      : new SessionManager(signed, stored, userVersions),
    expiredRowCleanup,
    userVersions
  } satisfies Partial<Services>
}

/** Wraps the adapter: its calls have a timeout, its results are validated, and its data is encrypted. */
function createStore(adapter: Adapter, ciphers: TableCiphers, tasks: BackgroundTasks, draft: NormalizedOptions): Store {
  const { options, logger, found, runtime } = draft
  return withEncryption(wrapAdapter(adapter, logger, storeSettings(draft)), {
    ciphers,
    encryptTokens: options.account?.encryptTokens ?? false,
    hashedFactors: new Set(found.features.flatMap(({ parts }) => parts.hashedFactors ?? [])),
    createNonce: () => randomBase64Url(runtime.randomBytes, 12),
    runLater: (work) => tasks.run('reencrypt', work)
  })
}

function createKeys(secrets: readonly string[]): Services['keys'] {
  return {
    emailRequest: keyRing(secrets, 'email request'),
    emailToken: keyRing(secrets, 'email token'),
    code: keyRing(secrets, 'code'),
    oneTimeToken: keyRing(secrets, 'one-time token'),
    signOut: keyRing(secrets, 'sign-out'),
    device: keyRing(secrets, 'known device'),
    userCursor: keyRing(secrets, 'user cursor')
  }
}

/** Registers the application with every secret that it decrypts with. */
function createRegistration({ options, applicationId: id, secrets }: NormalizedOptions): Registration {
  const ofTokens = [options.jwt?.secret ?? []].flat()
  const acceptUnbound = options.acceptUnbound ?? null
  return registerApplication({ id, secrets: [...secrets.secrets, ...ofTokens], acceptUnbound })
}

/** Creates what sends mails. */
function createMail(
  theme: Theme,
  { mails }: FeatureRegistry,
  { options, constants, runtime, logger, siteAddress: { sites }, found, basePath, pathPrefix }: NormalizedOptions
): Pick<Services, 'mailTransport' | 'sendOwnMail' | 'sendMail' | 'canSendMail'> {
  const { mailTimeoutMilliseconds, outboundMaxBytes } = constants
  const mailTransport = new MailTransport(runtime, mailTimeoutMilliseconds, outboundMaxBytes)
  const sendOwnMail = createMailer(found.mailer, mailTransport, options.renderer ?? plainRenderer, {
    origin: sites.kind === 'fixed' ? sites.origin : null,
    createPageContext: (origin) => createPageContext(origin, { basePath, pathPrefix, theme })
  })
  const sendMail = createFeatureMailer(mails, {
    sendMail: sendOwnMail,
    getLanguage: createGetLanguage(options, constants, logger)
  })
  return { mailTransport, sendOwnMail, sendMail, canSendMail: found.mailer !== null }
}

function toProviderInfo(provider: Provider, features: FeatureRegistry): ProviderInfo {
  const { id, name, type, kind, traits } = provider
  const isLinkable = kind === 'oauth' && traits.accountPolicy === 'link'
  return { id, name, names: getProviderNames(provider, features), type, isLinkable }
}

/**
 * Gives the features what they may use.
 *
 * @param origin - That of the application; `null` if requests determine it.
 */
export function connectFeatures(
  services: Services,
  operations: UserOperations,
  countWaysIn: (userId: string) => Promise<number>,
  origin: string | null
): void {
  const { features, accountPath, accountSections, apis, eventTypes, addressRequests } = services.features
  const { store, secrets, constants, basePath, pathPrefix, limits, logger, runtime, application } = services
  const { sendMail, canSendMail, notices } = services
  const endSessions = (userId: string): Promise<void> => services.sessionManager.endAll(userId)
  const limiter = limits?.limiter ?? null
  const applicationId = application.id
  const shared = {
    store,
    secrets,
    applicationId,
    callbackTimeout: constants.callbackTimeoutMilliseconds,
    basePath,
    pathPrefix,
    accountPath,
    limiter,
    logger,
    runtime,
    accountSections,
    apis,
    eventTypes,
    eventMaxAge: services.features.eventMaxAge ?? constants.eventMaxAge,
    addressRequests,
    sendMail,
    canSendMail,
    notices,
    operations,
    countWaysIn,
    origin,
    accountPage: services.pages.account,
    providers: [...services.providers.values()].map((provider) => toProviderInfo(provider, services.features)),
    endSessions,
    userVersions: services.userVersions
  }
  for (const { connect } of features) connect(shared)
  services.features.start()
}

/** Resolves the options that depend on no other service. */
function resolveAppliedOptions(draft: NormalizedOptions) {
  const { options, constants } = draft
  return {
    pages: resolvePages(options),
    theme: resolveTheme(options),
    errors: createThrownErrorPolicy(draft),
    maxSessionsPerUser: options.session?.maxPerUser ?? null,
    revokeAtSignOut: options.account?.revokeAtSignOut ?? false,
    allowedOrigins: options.allowedOrigins ?? [],
    clientLog: options.clientLog ?? false,
    limits: resolveLimits(options),
    hooks: createHooks(options, constants)
  } satisfies Partial<Services>
}

/** @returns The registered sign-in methods, and the mailed code by which users confirm. */
function createProviders(draft: NormalizedOptions): ReadonlyMap<string, Provider> {
  const confirmation = findConfirmationProvider(draft)
  const all = [...draft.found.providers, ...(confirmation ? [confirmation] : [])]
  return new Map(all.map((provider) => [provider.id, provider]))
}

/** Creates the services that every origin shares from valid options. */
export function createServices(draft: NormalizedOptions): Services {
  const { options, constants, runtime, logger, basePath, found, adapter, isDatabaseSession } = draft
  const { secrets } = draft.secrets
  const tasks = new BackgroundTasks(logger)
  const dataEncryption = createDataEncryption(secrets, draft.dataSecrets.secrets)
  const store = adapter && createStore(adapter, dataEncryption.ciphers, tasks, draft)
  const providers = createProviders(draft)
  const registration = createRegistration(draft)
  const { application } = registration
  const features = createRegistry(found.features, tasks)
  const sessionServices = createSessionServices(store, draft, features)
  const applied = resolveAppliedOptions(draft)
  return {
    basePath,
    pathPrefix: draft.pathPrefix,
    application,
    registration,
    providers,
    secrets,
    dataEncryption,
    constants,
    runtime,
    logger,
    emit: createEmitter(options.events ?? {}, logger, constants.callbackTimeoutMilliseconds),
    reportsDeletion: options.events?.deleteUser !== undefined,
    adapter,
    store,
    isDatabaseSession,
    storesAuthentication: !isDatabaseSession || Boolean(store?.putSessionRecord && store.getSessionRecords),
    signedOutSession: options.session?.format === 'auth-js' ? null : {},
    ...sessionServices,
    ...applied,
    accountRules: resolveAccountRules(draft, providers, features),
    oauth: createOAuthContext(runtime, constants, logger),
    features,
    ...createMail(applied.theme, features, draft),
    tasks,
    notices: new NoticeQueue(logger),
    keys: createKeys(secrets)
  }
}
