import type { Adapter } from '../adapter/adapter.ts'
import { cookieTable } from '../cookies/names.ts'
import type { Problem } from '../errors/config-error.ts'
import type { Logger } from '../model/logger.ts'
import type { Provider } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import { randomHex } from '../tokens/random.ts'
import {
  checkAdapter,
  checkBasePath,
  checkHeaders,
  checkIds,
  checkOrigins,
  checkRevocations,
  checkTrust
} from './check.ts'
import { checkCookies } from './check-cookies.ts'
import { checkPages } from './check-pages.ts'
import { checkTheme } from './check-theme.ts'
import type { Constants } from './config.ts'
import { defaults } from './defaults.ts'
import { type FailPointSetting, resolveFailPoint } from './fail-point.ts'
import { resolveLogger } from './logger.ts'
import type { PosternOptions } from './options.ts'
import { resolveProvider } from './resolve-provider.ts'
import { resolveRuntime } from './resolve-runtime.ts'
import { checkTokenSecrets, resolveSecrets, type Secrets } from './secrets.ts'
import { type Place, resolveSites } from './sites.ts'

export type Environment = Readonly<Record<string, string | undefined>>

function constantsOf({ constants = {} }: PosternOptions): Constants {
  const given = Object.fromEntries(Object.entries(constants).filter(([, value]) => value !== undefined))
  return { ...defaults, ...given }
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
    timeout: constants.outboundTimeoutMilliseconds,
    callbackTimeout: constants.callbackTimeoutMilliseconds,
    mailTimeout: constants.mailTimeoutMilliseconds
  }
  if (!Array.isArray(options.providers))
    return {
      providers: [],
      problems: [{ option: 'providers', message: 'expected a list of providers, got nothing; pass providers: []' }]
    }
  const resolved = options.providers.map((provider, index) => resolveProvider(provider, index, surroundings))
  return {
    providers: resolved.flatMap(({ provider }) => provider ?? []),
    problems: resolved.flatMap(({ problems }) => problems)
  }
}

/** The options with their defaults filled in, before anything is made of them. */
export interface Draft {
  readonly options: PosternOptions
  readonly isProduction: boolean
  readonly constants: Constants
  readonly runtime: Runtime
  readonly logger: Logger
  readonly failPoint: FailPointSetting
  readonly place: Place
  readonly basePath: string
  readonly secrets: Secrets
  readonly found: Found
  readonly adapter: Adapter | null
  readonly isDatabaseSession: boolean
}

/** What its methods answer is checked call by call, whoever wrote them. */
function isAdapter(value: PosternOptions['adapter']): value is Adapter {
  return typeof value === 'object' && value !== null
}

function adapterOf({ adapter }: PosternOptions): Adapter | null {
  return isAdapter(adapter) ? adapter : null
}

/** Fills in what the options leave out, and notes what is wrong on the way. */
export function draftOf(options: PosternOptions, environment: Environment): Draft {
  const isProduction = environment['NODE_ENV'] === 'production'
  const constants = constantsOf(options)
  const runtime = resolveRuntime(options.runtime ?? {})
  const place = resolveSites(options, environment, isProduction)
  const random = (): string => randomHex(runtime.randomBytes, 32)
  const adapter = adapterOf(options)
  return {
    options,
    isProduction,
    constants,
    runtime,
    logger: resolveLogger(options.logger ?? {}, options.debug ?? false),
    failPoint: resolveFailPoint(environment, isProduction, runtime),
    place,
    basePath: options.basePath ?? place.path ?? constants.basePath,
    secrets: resolveSecrets(options, environment, { isProduction, least: constants.secretLength }, random),
    found: providersOf(options, environment, isProduction, constants),
    adapter,
    isDatabaseSession: (options.session?.strategy ?? (adapter ? 'database' : 'jwt')) === 'database'
  }
}

/** @returns Every mistake that only the whole shows. */
export function problemsOf({
  options,
  isProduction,
  constants,
  failPoint,
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
    ...failPoint.problems,
    ...place.problems,
    ...secrets.problems,
    ...checkTokenSecrets(options, { isProduction, least: constants.secretLength }),
    ...found.problems,
    ...checkIds(found.providers),
    ...checkBasePath(basePath),
    ...checkAdapter(adapter, found.providers, isDatabaseSession),
    ...checkRevocations(options),
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
