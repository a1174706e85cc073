import { ConfigError, type Problem } from '../errors/config-error.ts'
import { isJsonObject } from '../model/json-object.ts'
import { type KeyRing, keyRing, type Purpose } from '../tokens/keys.ts'
import type { Config, Foundation, Sites } from './config.ts'
import { configAt, type SiteOptions } from './config-at.ts'
import { draftOf, type Environment, problemsOf } from './normalized-options.ts'
import { foundationOf } from './foundation.ts'
import { told } from './kinds.ts'
import type { PosternOptions } from './options.ts'
import { checkShape } from './shape.ts'
import { optionsShape } from './options-schema.ts'
import { originFor } from './sites.ts'
import { warningsOf } from './warnings.ts'

/** A configuration that was checked: what is the same everywhere, and the configuration of each origin. */
export interface Resolved {
  readonly foundation: Foundation
  /** @returns The configuration for the origin that a request claims, or `null` for one we do not answer for. */
  readonly configFor: (claimed: string) => Config | null
  /** The configuration of the one origin that is configured, or `null` where requests have a say in it. */
  readonly fixed: Config | null
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

const topOf = ({ option }: Problem): string => option.split('.', 1)[0] ?? ''

/** The options without those of a wrong kind, so that nothing keeps the others from being checked. */
function wellShaped(options: PosternOptions, misshapen: ReadonlySet<string>): PosternOptions {
  const none: Partial<PosternOptions> = Object.fromEntries([...misshapen].map((name) => [name, undefined]))
  return { ...options, ...none }
}

/**
 * Checks everything, tells every mistake at once, fills every default.
 *
 * @throws ConfigError
 */
export function resolve(options: PosternOptions, environment: Environment): Resolved {
  if (!isJsonObject(options)) {
    const message = `expected an object like { providers: [] }, got ${told(options, 'text')}`
    throw new ConfigError([{ option: 'options', message }])
  }
  const mistakes = checkShape(options, optionsShape, '')
  const misshapen = new Set(mistakes.filter(({ message }) => message.startsWith('expected')).map(topOf))
  const draft = draftOf(wellShaped(options, misshapen), environment)
  const problems = [...mistakes, ...problemsOf(draft).filter((problem) => !misshapen.has(topOf(problem)))]
  if (problems.length > 0) throw new ConfigError(problems)
  const { place, secrets, logger } = draft
  for (const warning of warningsOf(draft)) logger.warn('CONFIGURATION', warning)

  const foundation = foundationOf(draft)
  const ring = (purpose: Purpose): KeyRing => keyRing(secrets.secrets, purpose)
  const siteOptions: SiteOptions = {
    ...options,
    attemptKeys: { state: ring('state'), pkce: ring('pkce'), nonce: ring('nonce') },
    sessionTokenKeys: ring('session token'),
    sessionProofKeys: ring('session proof')
  }
  const configFor = perOrigin(place.sites, (origin) => configAt(origin, foundation, siteOptions))
  const fixed = place.sites.kind === 'fixed' ? configFor(place.sites.origin) : null
  return { foundation, configFor: fixed ? () => fixed : configFor, fixed }
}
