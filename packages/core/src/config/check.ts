import type { Adapter } from '../adapter/adapter.ts'
import type { CookieTable } from '../cookies/names.ts'
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

export function checkBasePath(basePath: string): Problem[] {
  if (pathPattern.test(basePath)) return []
  const message = 'expected a path like /api/auth: a slash first, none at the end, plain characters'
  const likely = `/${basePath.split('/').filter(Boolean).join('/')}`
  const mend = pathPattern.test(likely) ? `; write ${likely}` : ''
  return [{ option: 'basePath', message: message + mend }]
}

/** @returns Cookies that a browser would refuse (RFC 6265bis §4.1.3), and names that two of them share. */
export function checkCookies(table: CookieTable): Problem[] {
  const settings = Object.entries(table).map(([key, { name, options }]) => ({ key, name, options }))
  const names = settings.map(({ name }) => name)
  return settings.flatMap(({ key, name, options }): Problem[] => {
    const note = (message: string): Problem[] => [{ option: `cookies.${key}`, message }]
    if (!/^[\w!#$%&'*.^`|~+-]+$/.test(name))
      return note('expected a name without spaces, commas, semicolons and equals signs')
    if (names.indexOf(name) !== names.lastIndexOf(name))
      return note('two cookies have this name; give one of them another name')
    if (name.startsWith('__Secure-') && !options.secure) return note('the prefix __Secure- needs options.secure: true')
    const isHost = options.secure && options.path === '/' && !options.domain
    if (name.startsWith('__Host-') && !isHost)
      return note("the prefix __Host- needs options.secure: true, path: '/' and no domain")
    return options.sameSite === 'none' && !options.secure ? note("sameSite: 'none' needs options.secure: true") : []
  })
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

/** Stands in for our origin, which the address of a page may be relative to. */
const anywhere = 'https://origin.invalid'

/** @returns Pages that no browser could be sent to. */
export function checkPages({ pages = {} }: PosternOptions): Problem[] {
  return Object.entries(pages).flatMap(([name, page]): Problem[] => {
    if (typeof page !== 'string') return []
    const { protocol } = URL.canParse(page, anywhere) ? new URL(page, anywhere) : { protocol: 'none' }
    const isPage = protocol === 'https:' || protocol === 'http:'
    return isPage ? [] : [{ option: `pages.${name}`, message: 'expected a path like /signin, or an address' }]
  })
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
