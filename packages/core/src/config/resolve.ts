import { ConfigError, type Problem } from '../errors/config-error.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { Logger } from '../model/logger.ts'
import { checkShape, describeType } from '../schema/schema.ts'
import { createTags } from '../tokens/application-tag.ts'
import { type KeyRing, keyRing, type Purpose } from '../tokens/keys.ts'
import type { Config, Services, Sites } from './config.ts'
import { type Environment, findProblems, normalizeOptions } from './normalized-options.ts'
import type { PosternOptions } from './options.ts'
import { optionsShape } from './options-schema.ts'
import { isRefusedAsHttp, originFor } from './origins.ts'
import { logMissingMailer } from './resolve-mailer.ts'
import { createServices } from './services.ts'
import { type CookieScope, sessionCookies } from './session-cookies.ts'
import { createSiteConfig, type SiteOptions } from './site-config.ts'
import { findWarnings } from './warnings.ts'

/** A validated configuration: the part that all origins share, and the configuration of each origin. */
export interface Resolved {
  readonly services: Services
  /** @returns The configuration for the origin of a request, or `null` for an unknown one. */
  readonly configFor: (stated: string) => Config | null
  /** The configuration of the only origin, or `null` if requests affect the origin. */
  readonly fixed: Config | null
  readonly sessionCookies: readonly CookieScope[]
}

const httpMessage =
  'a request counts as http and gets 400: cookies would lack Secure, and links would be http. Set trustProxy to the ' +
  'addresses of your proxies, have them send X-Forwarded-Proto, and redirect http to https; or list hosts with their ' +
  'scheme, as https://app.example.com; set useSecureCookies: false if http is intended'

/** Returns a function that logs the first request that is refused as http. */
function createHttpReport(sites: Sites, logger: Logger): (stated: string) => void {
  let isReported = false
  return (stated) => {
    if (isReported || !isRefusedAsHttp(stated, sites)) return
    isReported = true
    logger.error('HTTPS_REQUIRED', httpMessage)
  }
}

/**
 * Caches one configuration per origin, created on first use. The cache is limited, so requests with many hosts do not
 * fill the memory.
 */
function perOrigin(
  sites: Sites,
  logger: Logger,
  create: (origin: string) => Config
): (stated: string) => Config | null {
  const reportHttp = createHttpReport(sites, logger)
  const configs = new Map<string, Config>()
  const maxConfigs = 100
  return (stated) => {
    const origin = configs.has(stated) ? stated : originFor(stated, sites)
    if (origin === null) {
      reportHttp(stated)
      return null
    }
    const known = configs.get(origin)
    if (known) return known
    if (configs.size >= maxConfigs) configs.clear()
    const config = create(origin)
    configs.set(origin, config)
    return config
  }
}

const getTopOption = ({ option }: Problem): string => option.split('.', 1)[0] ?? ''

const hasWrongValue = ({ code }: Problem): boolean => code !== 'UNKNOWN_OPTION' && code !== 'UNSUPPORTED_OPTION'

/** Returns the options without those of a wrong type, so that the remaining ones are still checked. */
function wellShaped(options: PosternOptions, misshapen: ReadonlySet<string>): PosternOptions {
  const none: Partial<PosternOptions> = Object.fromEntries([...misshapen].map((name) => [name, undefined]))
  return { ...options, ...none }
}

/**
 * Validates all options, reports every problem at once, and adds the defaults.
 *
 * @throws ConfigError
 */
export function resolve(options: PosternOptions, environment: Environment): Resolved {
  if (!isJsonObject(options)) {
    const message = `expected an object like { providers: [] }, got ${describeType(options, 'a string')}`
    throw new ConfigError([{ option: 'options', code: 'INVALID_TYPE', message }])
  }
  const mistakes = checkShape(options, optionsShape, '')
  const misshapen = new Set(mistakes.filter(hasWrongValue).map(getTopOption))
  const draft = normalizeOptions(wellShaped(options, misshapen), environment)
  const problems = [...mistakes, ...findProblems(draft).filter((problem) => !misshapen.has(getTopOption(problem)))]
  if (problems.length > 0) throw new ConfigError(problems)
  const { siteAddress, secrets, logger } = draft
  for (const warning of findWarnings(draft)) logger.warn('CONFIGURATION', warning)

  const services = createServices(draft)
  services.tasks.run('mailer', () => logMissingMailer(draft.found, draft.runtime, logger))
  const ring = (purpose: Purpose): KeyRing => keyRing(secrets.secrets, purpose)
  const siteOptions: SiteOptions = {
    ...options,
    stateKeys: ring('state'),
    sessionTokenKeys: ring('session token'),
    sessionProofKeys: ring('session proof'),
    sessionTags: draft.isDatabaseSession ? createTags(ring('application'), draft.applicationId) : []
  }
  const configFor = perOrigin(siteAddress.sites, logger, (origin) => createSiteConfig(origin, services, siteOptions))
  const fixed = siteAddress.sites.kind === 'fixed' ? configFor(siteAddress.sites.origin) : null
  return { services, configFor: fixed ? () => fixed : configFor, fixed, sessionCookies: sessionCookies(draft) }
}
