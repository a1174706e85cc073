import type { Adapter } from '../adapter/adapter.ts'
import { cookieTable } from '../cookies/names.ts'
import type { Problem } from '../errors/config-error.ts'
import { handleRejection } from '../errors/user-code.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { isObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import type { Provider } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import { randomHex } from '../tokens/random.ts'
import {
  checkAdapter,
  checkApplicationId,
  checkBasePath,
  checkHeaders,
  checkHiddenProviders,
  checkIdentifierFirst,
  checkIds,
  checkOrigins,
  checkPages,
  checkPathPrefix,
  checkRevocations,
  checkTrust
} from './check.ts'
import { checkCookies } from './check-cookies.ts'
import { checkTheme } from './check-theme.ts'
import type { Constants } from './config.ts'
import { checkConfirmation } from './confirmation.ts'
import { defaults } from './defaults.ts'
import { missingToEndSessions } from './missing-methods.ts'
import type { PosternOptions } from './options.ts'
import { resolveOrigins, type SiteAddress } from './origins.ts'
import { checkFeatures, checkRegistration, isFeature, resolveFeature } from './resolve-feature.ts'
import { resolveMailer } from './resolve-mailer.ts'
import { resolveProvider } from './resolve-provider.ts'
import { checkTokenSecrets, resolveDataSecrets, resolveSecrets, type Secrets } from './secrets.ts'
import { checkSessionLimits } from './session-limits.ts'

export type Environment = Readonly<Record<string, string | undefined>>

function resolveConstants({ constants = {} }: PosternOptions): Constants {
  const given = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== undefined))
  return { ...defaults, ...given }
}

const poolSize = 4096
let pool = new Uint8Array(0)
let spent = 0

/** Reads many random bytes at once and returns each only once: the call to the system is the slow part. */
function pooledRandomBytes(size: number): Uint8Array {
  if (size > poolSize) return crypto.getRandomValues(new Uint8Array(size))
  if (pool.length - spent < size) {
    pool = crypto.getRandomValues(new Uint8Array(poolSize))
    spent = 0
  }
  const start = spent
  spent += size
  const bytes = pool.slice(start, spent)
  pool.fill(0, start, spent)
  return bytes
}

/** Resolves the runtime from web standards; mail and a guarded `fetch` are in `@postern/core/node`. */
function resolveRuntime(given: Partial<Runtime>): Runtime {
  return {
    now: given.now ?? Date.now,
    randomBytes: given.randomBytes ?? pooledRandomBytes,
    fetch:
      given.fetch ??
      ((url, init, { timeout }) => fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })),
    loadMailer: given.loadMailer,
    sendMail:
      given.sendMail ??
      (() =>
        Promise.reject(
          new TypeError('this runtime cannot send mail; pass runtime.sendMail, or the one of @postern/core/node')
        ))
  }
}

const silent = (): void => undefined

/** Logs to the console with next-auth's prefixes. Each level that the application defines replaces the console's. */
function resolveLogger(given: Partial<Logger>, isDebugging: boolean): Logger {
  const own: Logger = {
    error: (code, metadata) => console.error(`[postern][error][${code}]`, metadata),
    warn: (code, metadata) => console.warn(`[postern][warn][${code}]`, ...(metadata === undefined ? [] : [metadata])),
    debug: isDebugging ? (code, metadata) => console.log(`[postern][debug][${code}]`, metadata) : silent
  }
  const levels = Object.entries(given)
    .filter(([, level]) => typeof level === 'function')
    .map(([name, level]) => [
      name,
      (...line: Parameters<Logger['error']>) =>
        void handleRejection(Reflect.apply(level, given, line), (error) => own.error('LOGGER_ERROR', error))
    ])
  return { ...own, ...Object.fromEntries(levels) }
}

interface Found {
  readonly providers: readonly Provider[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  readonly features: readonly RegisteredFeature[]
  /** Whose server or service sends the mails of features. */
  readonly mailer: EmailProvider | null
}

function resolveProviders(
  options: PosternOptions,
  environment: Environment,
  isProduction: boolean,
  constants: Constants
): Found {
  const surroundings = {
    environment,
    isProduction,
    hasRateLimits: options.rateLimit !== false,
    hasVerifyRequestPage: Boolean(options.pages?.verifyRequest),
    verificationMaxAge: constants.verificationMaxAge,
    timeout: constants.outboundTimeoutMilliseconds,
    callbackTimeout: constants.callbackTimeoutMilliseconds,
    mailTimeout: constants.mailTimeoutMilliseconds
  }
  if (!Array.isArray(options.providers))
    return {
      providers: [],
      warnings: [],
      features: [],
      mailer: null,
      problems: [
        {
          option: 'providers',
          code: 'OPTION_MISSING',
          message: 'expected a list of providers, got nothing; pass providers: []'
        }
      ]
    }
  const resolved = options.providers.map((provider, index) =>
    isFeature(provider)
      ? resolveFeature(provider, `providers[${index}]`)
      : { ...resolveProvider(provider, index, surroundings), features: [] }
  )
  const { features = [] } = options
  const others = Array.isArray(features) ? features.map((given, at) => resolveFeature(given, `features[${at}]`)) : []
  const all = [...resolved, ...others]
  const providers = all.flatMap(({ providers }) => providers)
  const registered = all.flatMap(({ features }) => features)
  const { mailer, problems } = resolveMailer(options, { providers, features: registered }, surroundings)
  return {
    mailer,
    providers,
    problems: [...all.flatMap(({ problems }) => problems), ...problems],
    warnings: all.flatMap(({ warnings }) => warnings),
    features: registered
  }
}

/** The options with all defaults, before services are created from them. */
export interface NormalizedOptions {
  readonly options: PosternOptions
  readonly isProduction: boolean
  readonly constants: Constants
  readonly runtime: Runtime
  readonly logger: Logger
  readonly siteAddress: SiteAddress
  readonly basePath: string
  readonly pathPrefix: string
  readonly applicationId: string
  readonly secrets: Secrets
  /** The secrets of stored data; empty if they are those of `secrets`. */
  readonly dataSecrets: Secrets
  readonly found: Found
  readonly adapter: Adapter | null
  readonly isDatabaseSession: boolean
}

/** Every result of the methods is validated on each call, so this assertion is safe for any adapter. */
function isAdapter(value: PosternOptions['adapter']): value is Adapter {
  return isObject(value)
}

/** Adds the defaults, and collects problems. */
export function normalizeOptions(options: PosternOptions, environment: Environment): NormalizedOptions {
  const isProduction = environment['NODE_ENV'] === 'production'
  const constants = resolveConstants(options)
  const runtime = resolveRuntime(options.runtime ?? {})
  const siteAddress = resolveOrigins(options, environment, isProduction)
  const random = (): string => randomHex(runtime.randomBytes, 32)
  const adapter = isAdapter(options.adapter) ? options.adapter : null
  const secretRequirements = { isProduction, minLength: constants.secretLength }
  const { pathPrefix = '' } = options
  // The path of `url` is what browsers see.
  const { path } = siteAddress
  const ownPath = path?.startsWith(`${pathPrefix}/`) ? path.slice(pathPrefix.length) : path === pathPrefix ? null : path
  const basePath = pathPrefix + (options.basePath ?? ownPath ?? constants.basePath)
  return {
    options,
    isProduction,
    constants,
    runtime,
    logger: resolveLogger(options.logger ?? {}, options.debug ?? false),
    siteAddress,
    basePath,
    pathPrefix,
    applicationId: options.applicationId ?? basePath,
    secrets: resolveSecrets(options, environment, secretRequirements, random),
    dataSecrets: resolveDataSecrets(options, environment, secretRequirements),
    found: resolveProviders(options, environment, isProduction, constants),
    adapter,
    isDatabaseSession: (options.session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'database'
  }
}

/** @returns Problems that depend on several options. */
export function findProblems({
  options,
  isProduction,
  constants,
  siteAddress,
  basePath,
  secrets,
  dataSecrets,
  found,
  adapter,
  isDatabaseSession
}: NormalizedOptions): readonly Problem[] {
  const { sites } = siteAddress
  const secure = options.useSecureCookies ?? (sites.kind === 'fixed' ? sites.origin.startsWith('https:') : true)
  return [
    ...siteAddress.problems,
    ...secrets.problems,
    ...dataSecrets.problems,
    ...checkTokenSecrets(options, { isProduction, minLength: constants.secretLength }),
    ...found.problems,
    ...checkIds(found.providers),
    ...checkHiddenProviders(options, found.providers),
    ...checkIdentifierFirst(options, found.providers),
    ...checkFeatures(
      found.features,
      adapter,
      isDatabaseSession,
      missingToEndSessions({ options, adapter, isDatabaseSession })
    ),
    ...checkRegistration(found.features, sites.kind === 'fixed' ? sites.origin : null),
    ...checkBasePath(basePath),
    ...checkPathPrefix(options),
    ...checkApplicationId(options),
    ...checkAdapter(adapter, found.providers, isDatabaseSession),
    ...checkConfirmation({ adapter, found }),
    ...checkRevocations(options),
    ...checkSessionLimits({ options, adapter, isDatabaseSession }),
    ...checkCookies(cookieTable(secure, basePath, options.cookies ?? {}), {
      sites,
      chunkSize: constants.cookieChunkSize,
      isProduction
    }),
    ...checkHeaders(options),
    ...checkTrust(sites, found.providers),
    ...checkPages(options, basePath, sites),
    ...checkTheme(options),
    ...checkOrigins(options)
  ]
}
