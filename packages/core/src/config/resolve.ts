import type { Adapter } from '../adapter/adapter.ts'
import { toStore } from '../adapter/store.ts'
import { cookieTable } from '../cookies/names.ts'
import { ConfigError, type Problem } from '../errors/config-error.ts'
import { teller } from '../hooks/events.ts'
import { defaultRedirect, type Hooks } from '../hooks/hooks.ts'
import type { Logger } from '../model/logger.ts'
import type { Theme } from '../model/page.ts'
import type { Provider } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import { MetadataCache } from '../oauth/metadata.ts'
import { KeySets } from '../tokens/key-set.ts'
import { type KeyRing, keyRing, type Purpose } from '../tokens/keys.ts'
import { randomHex } from '../tokens/random.ts'
import { checkAdapter, checkBasePath, checkCookies, checkIds, checkTrust } from './check.ts'
import type { Config, Constants, Foundation, Limits, Pages, Sites } from './config.ts'
import { configAt, type SiteOptions } from './config-at.ts'
import { defaults, rateRules } from './defaults.ts'
import { resolveLogger } from './logger.ts'
import type { PosternOptions } from './options.ts'
import { resolveProvider } from './resolve-provider.ts'
import { resolveRuntime } from './runtime.ts'
import { resolveSecrets, type Secrets } from './secrets.ts'
import { checkShape } from './shape.ts'
import { optionsShape } from './shapes.ts'
import { originFor, type Place, resolveSites } from './sites.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A configuration that was checked: what is the same everywhere, and the configuration of each origin. */
export interface Resolved {
  readonly foundation: Foundation
  /** @returns The configuration for the origin that a request claims, or `null` for one we do not answer for. */
  readonly configFor: (claimed: string) => Config | null
  /** The configuration of the one origin that is configured, or `null` where requests have a say in it. */
  readonly fixed: Config | null
}

function hooksOf({ callbacks = {} }: PosternOptions): Hooks {
  const { signIn, redirect, jwt, session } = callbacks
  return {
    signIn: signIn ?? (() => true),
    redirect: redirect ?? defaultRedirect,
    jwt: jwt ?? null,
    session: session ?? null
  }
}

function pagesOf({ pages = {} }: PosternOptions): Pages {
  const { signIn, signOut, error, verifyRequest, newUser } = pages
  const text = (page: string | undefined): string | null => page || null
  return {
    signIn: text(signIn),
    signOut: text(signOut),
    error: text(error),
    verifyRequest: text(verifyRequest),
    newUser: newUser === true ? true : text(newUser)
  }
}

function themeOf({ theme = {} }: PosternOptions): Theme {
  const { colorScheme = 'auto', logo = '', brandColor = '', buttonText = '' } = theme
  return { colorScheme, logo, brandColor, buttonText }
}

function limitsOf({ rateLimit }: PosternOptions): Limits | null {
  if (rateLimit === false || !rateLimit?.limiter) return null
  const given = Object.fromEntries(Object.entries(rateLimit).filter(([, rule]) => rule !== undefined))
  return { limiter: rateLimit.limiter, ...rateRules, ...given }
}

function constantsOf({ constants = {} }: PosternOptions): Constants {
  const given = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== undefined))
  return { ...defaults, ...given }
}

function oauthTools(runtime: Runtime, constants: Constants, logger: Foundation['logger']): Foundation['oauth'] {
  const { keySetMaxAge, keySetThrottle, keySetCooldown, staleIfError, mostIssuers, metadataMaxAge, clockTolerance } =
    constants
  const keyTimes = {
    maxAge: keySetMaxAge,
    throttle: keySetThrottle,
    cooldown: keySetCooldown,
    staleIfError,
    mostIssuers
  }
  return {
    runtime,
    logger,
    keySets: new KeySets(keyTimes, runtime.now),
    metadata: new MetadataCache({ maxAge: metadataMaxAge, staleIfError, throttle: keySetThrottle }, runtime.now),
    clockTolerance
  }
}

interface Found {
  readonly providers: readonly Provider[]
  readonly problems: readonly Problem[]
}

function providersOf(
  options: PosternOptions,
  environment: Environment,
  isProduction: boolean,
  constants: Constants
): Found {
  const surroundings = {
    environment,
    isProduction,
    hasVerifyRequestPage: Boolean(options.pages?.verifyRequest),
    verificationMaxAge: constants.verificationMaxAge,
    timeout: constants.outboundTimeoutMilliseconds
  }
  if (!Array.isArray(options.providers))
    return { providers: [], problems: [{ option: 'providers', message: 'expected a list of providers' }] }
  const resolved = options.providers.map((provider, index) => resolveProvider(provider, index, surroundings))
  return {
    providers: resolved.flatMap(({ provider }) => provider ?? []),
    problems: resolved.flatMap(({ problems }) => problems)
  }
}

/** One configuration for each origin, made when it is first asked for; a flood of hosts does not fill the memory. */
function perOrigin(sites: Sites, make: (origin: string) => Config): (claimed: string) => Config | null {
  const made = new Map<string, Config>()
  const most = 100
  return (claimed) => {
    const origin = made.has(claimed) ? claimed : originFor(claimed, sites)
    if (origin === null) return null
    const known = made.get(origin)
    if (known) return known
    if (made.size >= most) made.clear()
    const config = make(origin)
    made.set(origin, config)
    return config
  }
}

/** The options with their defaults filled in, before anything is made of them. */
interface Draft {
  readonly options: PosternOptions
  readonly constants: Constants
  readonly runtime: Runtime
  readonly logger: Logger
  readonly place: Place
  readonly basePath: string
  readonly secrets: Secrets
  readonly found: Found
  readonly adapter: Adapter | null
  readonly isDatabaseSession: boolean
}

function draftOf(options: PosternOptions, environment: Environment): Draft {
  const isProduction = environment['NODE_ENV'] === 'production'
  const constants = constantsOf(options)
  const runtime = resolveRuntime(options.runtime ?? {})
  const place = resolveSites(options, environment, isProduction)
  const random = (): string => randomHex(runtime.randomBytes, 32)
  const adapter = options.adapter ?? null
  return {
    options,
    constants,
    runtime,
    logger: resolveLogger(options.logger ?? {}, options.debug ?? false),
    place,
    basePath: options.basePath ?? place.path ?? constants.basePath,
    secrets: resolveSecrets(options, environment, isProduction, random),
    found: providersOf(options, environment, isProduction, constants),
    adapter,
    isDatabaseSession: (options.session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'database'
  }
}

function problemsOf({
  options,
  place,
  basePath,
  secrets,
  found,
  adapter,
  isDatabaseSession
}: Draft): readonly Problem[] {
  const { sites } = place
  const secure = options.useSecureCookies ?? (sites.kind === 'fixed' ? sites.origin.startsWith('https:') : true)
  return [
    ...place.problems,
    ...secrets.problems,
    ...found.problems,
    ...checkIds(found.providers),
    ...checkBasePath(basePath),
    ...checkAdapter(adapter, found.providers, isDatabaseSession),
    ...checkCookies(cookieTable(secure, basePath, options.cookies ?? {})),
    ...checkTrust(sites, found.providers)
  ]
}

function foundationOf({
  options,
  constants,
  runtime,
  logger,
  basePath,
  secrets: { secrets },
  found,
  adapter,
  isDatabaseSession
}: Draft): Foundation {
  return {
    basePath,
    providers: new Map(found.providers.map((provider) => [provider.id, provider])),
    secrets,
    constants,
    runtime,
    logger,
    hooks: hooksOf(options),
    tell: teller(options.events ?? {}, logger),
    adapter,
    store: adapter && toStore(adapter, logger, options.debug ?? false),
    isDatabaseSession,
    pages: pagesOf(options),
    theme: themeOf(options),
    errors: options.errors ?? 'message',
    unproven: options.linking?.unproven ?? 'unlink',
    allowedOrigins: options.allowedOrigins ?? [],
    clientLog: options.clientLog ?? false,
    limits: limitsOf(options),
    oauth: oauthTools(runtime, constants, logger),
    keys: {
      emailRequest: keyRing(secrets, 'email request'),
      emailToken: keyRing(secrets, 'email token'),
      code: keyRing(secrets, 'code')
    }
  }
}

/**
 * Checks everything, tells every mistake at once, fills every default.
 *
 * @throws ConfigError
 */
export function resolve(options: PosternOptions, environment: Environment): Resolved {
  const misshapen = checkShape(options, optionsShape, '')
  // Beyond the shape of the options nothing can be said of what has the wrong one.
  if (misshapen.some(({ message }) => message.startsWith('expected'))) throw new ConfigError(misshapen)
  const draft = draftOf(options, environment)
  const problems = [...misshapen, ...problemsOf(draft)]
  if (problems.length > 0) throw new ConfigError(problems)
  const { place, secrets, logger } = draft
  for (const warning of [...place.warnings, ...secrets.warnings]) logger.warn('CONFIGURATION', warning)

  const foundation = foundationOf(draft)
  const ring = (purpose: Purpose): KeyRing => keyRing(secrets.secrets, purpose)
  const siteOptions: SiteOptions = {
    ...options,
    attemptKeys: { state: ring('state'), pkce: ring('pkce'), nonce: ring('nonce') },
    sessionTokenKeys: ring('session token')
  }
  const configFor = perOrigin(place.sites, (origin) => configAt(origin, foundation, siteOptions))
  return { foundation, configFor, fixed: place.sites.kind === 'fixed' ? configFor(place.sites.origin) : null }
}
