import type { Adapter } from '../adapter/adapter.ts'
import type { Problem } from '../errors/config-error.ts'
import { policyOf } from '../http/content-security-policy.ts'
import { headerProblem } from '../http/header-options.ts'
import type { Provider } from '../model/provider.ts'
import type { Sites } from './config.ts'
import type { PosternOptions } from './options.ts'

type Method = keyof Adapter

const forUsers: readonly Method[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount'
]
const forSessions: readonly Method[] = ['createSession', 'getSessionAndUser', 'updateSession', 'deleteSession']
const forMails: readonly Method[] = ['createVerificationToken', 'useVerificationToken', 'getUserByEmail']

/** @returns What an adapter lacks for what it is asked to do. */
export function checkAdapter(
  adapter: Adapter | null,
  providers: readonly Provider[],
  isDatabaseSession: boolean
): Problem[] {
  const hasMails = providers.some(({ kind }) => kind === 'email')
  if (!adapter) {
    const missing = [
      ...(isDatabaseSession ? ["session.strategy 'database' keeps sessions in it"] : []),
      ...(hasMails ? ['sign-in by e-mail keeps its links in it'] : [])
    ]
    const mend = 'pass one, such as sqliteAdapter of @postern/adapters/sqlite'
    return missing.map((why) => ({ option: 'adapter', message: `expected an adapter, got nothing: ${why}; ${mend}` }))
  }
  if ('then' in adapter) return [{ option: 'adapter', message: 'expected an adapter, got a promise; await it' }]
  const needed = new Set([...forUsers, ...(isDatabaseSession ? forSessions : []), ...(hasMails ? forMails : [])])
  const missing = [...needed].filter((name) => typeof adapter[name] !== 'function')
  if (missing.length === 0) return []
  const message = `expected these methods, which the adapter does not have: ${missing.join(', ')}`
  return [{ option: 'adapter', message: `${message}; add them, or pass an adapter of @postern/adapters` }]
}

/** @returns What a store of revocations lacks. */
export function checkRevocations({ session }: PosternOptions): Problem[] {
  const store = session?.revocations
  if (!store) return []
  const methods = ['revoke', 'getRevocations', 'listRevocations'] as const
  const missing = methods.filter((name) => typeof store[name] !== 'function')
  const message = `expected a store with these methods, which it does not have: ${missing.join(', ')}`
  return missing.length === 0 ? [] : [{ option: 'session.revocations', message }]
}

/** @returns Ids that two providers share. */
export function checkIds(providers: readonly Provider[]): Problem[] {
  const ids = providers.map(({ id }) => id)
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
  return twice.map((id) => ({
    option: `providers.${id}`,
    message: 'two providers have this id; give one of them another id'
  }))
}

const pathPattern = /^(\/[A-Za-z0-9._~-]+)+$/

/** What an address parser takes away: no request would come to such a path. */
const isDots = (part: string): boolean => part === '.' || part === '..'

export function checkBasePath(basePath: string): Problem[] {
  if (pathPattern.test(basePath) && !basePath.split('/').some(isDots)) return []
  const message = 'expected a path like /api/auth: a slash first, none at the end, plain characters'
  const likely = `/${basePath
    .split('/')
    .filter((part) => part !== '' && !isDots(part))
    .join('/')}`
  const mend = pathPattern.test(likely) ? `; write ${likely}` : ''
  return [{ option: 'basePath', message: message + mend }]
}

/** A mail must not name a host that a visitor chose. */
export function checkTrust(sites: Sites, providers: readonly Provider[]): Problem[] {
  if (sites.kind !== 'any' || !providers.some(({ kind }) => kind === 'email')) return []
  return [
    {
      option: 'trustHost',
      message: 'true does not go with sign-in by e-mail: links would name any host that a request names; list the hosts'
    }
  ]
}

/** @returns Origins that no browser would ever name. */
export function checkOrigins({ allowedOrigins = [] }: PosternOptions): Problem[] {
  const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
  if (allowedOrigins.every(isOrigin)) return []
  return [
    { option: 'allowedOrigins', message: 'expected origins like https://www.example.com, without path and slash' }
  ]
}

/** @returns Headers of the pages that cannot be sent. */
export function checkHeaders({ headers = {}, contentSecurityPolicy }: PosternOptions): Problem[] {
  const chosen: unknown = policyOf("default-src 'none'", contentSecurityPolicy)
  const policy = headerProblem('content-security-policy', typeof chosen === 'string' ? chosen : '')
  const others = Object.entries(headers).map(([name, value]) => ({
    option: `headers.${name}`,
    message: headerProblem(name, value)
  }))
  return [{ option: 'contentSecurityPolicy', message: policy }, ...others].flatMap(({ option, message }) =>
    message === null ? [] : [{ option, message }]
  )
}
