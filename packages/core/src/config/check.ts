import type { Adapter } from '../adapter/adapter.ts'
import { revocationMethods } from '../adapter/revocation.ts'
import type { Problem } from '../errors/config-error.ts'
import { resolvePolicy } from '../http/content-security-policy.ts'
import { headerProblem } from '../http/response-headers.ts'
import { applicationProviderId } from '../model/application-provider.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import type { Provider } from '../model/provider.ts'
import type { Sites } from './config.ts'
import type { PagesOptions, PosternOptions } from './options.ts'

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
/** What mailed links and codes of sign-ins are stored with. */
export const forMails: readonly Method[] = ['createVerificationToken', 'useVerificationToken', 'getUserByEmail']

/** @returns Problems of ids of hidden providers that no provider has. */
export function checkHiddenProviders(
  { hiddenProviders }: Pick<PosternOptions, 'hiddenProviders'>,
  providers: readonly Provider[]
): Problem[] {
  const ids = providers.map(({ id }) => id)
  const unknown = Array.isArray(hiddenProviders) ? hiddenProviders.filter((id) => !ids.includes(id)) : []
  return unknown.map((id) => ({
    option: 'hiddenProviders',
    code: 'INVALID_VALUE',
    message: `expected ids of providers (${ids.join(', ') || 'there are none'}), got ${id}`
  }))
}

/** Whether the form of a method asks for an email address in a field of that name. */
const asksForEmail = ({ kind, traits: { form } }: Provider): boolean =>
  form.type === 'email' || (kind === 'feature' && form.type === 'credentials' && form.identifier === 'email')

/** @returns Problems of a first step that no method, or no built-in page, follows. */
export function checkIdentifierFirst(
  {
    identifierFirst,
    hiddenProviders = [],
    pages
  }: Pick<PosternOptions, 'hiddenProviders' | 'identifierFirst' | 'pages'>,
  providers: readonly Provider[]
): Problem[] {
  if (identifierFirst !== true) return []
  const problem = (code: Problem['code'], message: string): Problem[] => [{ option: 'identifierFirst', code, message }]
  if (pages?.signIn)
    return problem('INVALID_VALUE', 'expected the built-in sign-in page, got pages.signIn; omit one of them')
  if (providers.some((provider) => asksForEmail(provider) && !hiddenProviders.includes(provider.id))) return []
  const hint = 'add a provider for email or password(), or omit the option'
  return problem('OPTION_MISSING', `expected a method on the sign-in page that asks for an email address; ${hint}`)
}

/** @returns The methods that the options require and the adapter lacks. */
export function checkAdapter(
  adapter: Adapter | null,
  providers: readonly Provider[],
  isDatabaseSession: boolean
): Problem[] {
  // Features store their links as tickets.
  const hasMails = providers.some(({ kind }) => kind === 'email')
  if (!adapter) {
    const missing = [
      ...(isDatabaseSession ? ["session.strategy 'database' stores sessions in it"] : []),
      ...(hasMails ? ['sign-in by email stores its links in it'] : [])
    ]
    const hint = 'pass one, such as sqliteAdapter of @postern/adapters/sqlite'
    return missing.map((why) => ({
      option: 'adapter',
      code: 'ADAPTER_MISSING',
      message: `expected an adapter, got nothing: ${why}; ${hint}`
    }))
  }
  if ('then' in adapter)
    return [{ option: 'adapter', code: 'PROMISE_NOT_AWAITED', message: 'expected an adapter, got a promise; await it' }]
  const needed = new Set([...forUsers, ...(isDatabaseSession ? forSessions : []), ...(hasMails ? forMails : [])])
  const missing = [...needed].filter((name) => typeof adapter[name] !== 'function')
  if (missing.length === 0) return []
  const message = `expected these methods, which the adapter does not have: ${missing.join(', ')}`
  const hint = 'add them, or pass an adapter of @postern/adapters'
  return [{ option: 'adapter', code: 'METHODS_MISSING', message: `${message}; ${hint}` }]
}

/** @returns The methods that a store of revocations lacks. */
export function checkRevocations({ session }: PosternOptions): Problem[] {
  const store = session?.revocations
  if (!store) return []
  const missing = revocationMethods.filter((name) => typeof store[name] !== 'function')
  const message = `expected a store with these methods, which it does not have: ${missing.join(', ')}`
  return missing.length === 0 ? [] : [{ option: 'session.revocations', code: 'METHODS_MISSING', message }]
}

/** @returns Ids that two providers have in common, and the one that no provider may have. */
export function checkIds(providers: readonly Provider[]): Problem[] {
  const ids = providers.map(({ id }) => id)
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
  const problem = (id: string, message: string): Problem => ({
    option: `providers.${id}`,
    code: 'PROVIDER_ID_DUPLICATE',
    message
  })
  return [
    ...twice.map((id) => problem(id, 'two providers have this id; give one of them another id')),
    ...(ids.includes(applicationProviderId)
      ? [problem(applicationProviderId, 'app.postern.signIn uses this id; give the provider another id')]
      : []),
    ...(ids.includes(confirmationProviderId)
      ? [problem(confirmationProviderId, 'codes that confirm users use this id; give the provider another id')]
      : [])
  ]
}

const pathPattern = /^(\/[A-Za-z0-9._~-]+)+$/

/** URL parsers remove these segments, so no request would have such a path. */
const isDots = (part: string): boolean => part === '.' || part === '..'

const isPath = (text: string): boolean => pathPattern.test(text) && !text.split('/').some(isDots)

export function checkBasePath(basePath: string): Problem[] {
  if (isPath(basePath)) return []
  const message =
    'expected a path like /api/auth: a slash at the start, none at the end; only letters, digits, ., _, ~ and -'
  const likely = `/${basePath
    .split('/')
    .filter((part) => part !== '' && !isDots(part))
    .join('/')}`
  const hint = pathPattern.test(likely) ? `; write ${likely}` : ''
  return [{ option: 'basePath', code: 'INVALID_VALUE', message: message + hint }]
}

/** @returns Problems of the path that a proxy removes. */
export function checkPathPrefix({ pathPrefix = '' }: PosternOptions): Problem[] {
  if (pathPrefix === '' || isPath(pathPrefix)) return []
  const message = 'expected a path like /shop: a slash at the start, none at the end'
  return [{ option: 'pathPrefix', code: 'INVALID_VALUE', message }]
}

/** The maximum length of an application id in characters; each token of a JWT session contains it. */
const maxIdLength = 200

export function checkApplicationId({ applicationId: id }: PosternOptions): Problem[] {
  // UTF-8 encodes every lone surrogate as the same character, so two applications would have the same id.
  if (id !== undefined && /\p{Cs}/u.test(id))
    return [
      {
        option: 'applicationId',
        code: 'INVALID_VALUE',
        message: 'expected a well-formed string, got a lone surrogate; remove it'
      }
    ]
  if (id === undefined || (id.trim() !== '' && id.length <= maxIdLength)) return []
  const got = id.trim() === '' ? 'nothing' : id.length
  const message = `expected 1 to ${maxIdLength} characters, got ${got}; omit it for the base path`
  return [{ option: 'applicationId', code: 'OUT_OF_RANGE', message }]
}

/** A mail must not contain a host that the client chose. */
export function checkTrust(sites: Sites, providers: readonly Provider[]): Problem[] {
  if (sites.kind !== 'any' || !providers.some(({ traits }) => traits.provesMailbox || traits.admitsMailboxOwner))
    return []
  return [
    {
      option: 'trustHost',
      code: 'TRUST_HOST_UNSAFE',
      message:
        'expected a list of hosts, got true: with sign-in by email, links would contain any host that a request names'
    }
  ]
}

/** @returns Problems of values that are not an origin of any browser. */
export function checkOrigins({ allowedOrigins = [] }: PosternOptions): Problem[] {
  const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
  return allowedOrigins
    .filter((text) => !isOrigin(text))
    .map((text) => {
      const { origin } = URL.canParse(text) ? new URL(text) : { origin: 'null' }
      const hint = origin === 'null' ? '' : `; write ${origin}`
      return {
        option: 'allowedOrigins',
        code: 'INVALID_URL',
        message: `expected origins like https://www.example.com, without path and slash, got ${JSON.stringify(text)}${hint}`
      }
    })
}

/** @returns Problems of page headers that cannot be sent. */
export function checkHeaders({ headers = {}, contentSecurityPolicy }: PosternOptions): Problem[] {
  const chosen: unknown = resolvePolicy("default-src 'none'", contentSecurityPolicy)
  const policy = headerProblem('content-security-policy', typeof chosen === 'string' ? chosen : '')
  const others = Object.entries(headers).map(([name, value]) => ({
    option: `headers.${name}`,
    problem: headerProblem(name, value)
  }))
  return [{ option: 'contentSecurityPolicy', problem: policy }, ...others].flatMap(({ option, problem }) =>
    problem === null ? [] : [{ option, ...problem }]
  )
}

/** The origin that relative URLs of pages are resolved against. */
const anywhere = 'https://origin.invalid'

/** The built-in page that each option replaces. */
const builtInPages: Readonly<Record<keyof PagesOptions, string>> = {
  signIn: 'signin',
  signOut: 'signout',
  error: 'error',
  verifyRequest: 'verify-request',
  newUser: 'welcome',
  account: 'account'
}

const isPage = (name: string): name is keyof PagesOptions => Object.hasOwn(builtInPages, name)

/** @returns The part of a page's path below `basePath`, or `null` for a page of the application. */
function ownRoute({ origin, pathname }: URL, basePath: string, sites: Sites): string | null {
  const isOwn = origin === anywhere || (sites.kind === 'fixed' && origin === sites.origin)
  return isOwn && pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1).replace(/\/$/, '') : null
}

/**
 * A built-in page that redirects to itself loops; a built-in page in place of the sign-in page prevents every sign-in.
 */
function isCircle(name: string, route: string, providers: PosternOptions['providers']): boolean {
  if (name !== 'signIn') return isPage(name) && builtInPages[name] === route
  const pages: readonly string[] = Object.values(builtInPages)
  // Any other URL below `basePath` may be a page of the application.
  return pages.includes(route) || (Array.isArray(providers) && providers.some(({ id }) => route === `signin/${id}`))
}

/** @returns Problems of pages that a browser cannot be redirected to, and of pages that redirect back. */
export function checkPages({ pages = {}, providers }: PosternOptions, basePath: string, sites: Sites): Problem[] {
  return Object.entries(pages).flatMap(([name, page]): Problem[] => {
    if (typeof page !== 'string') return []
    const option = `pages.${name}`
    const url = URL.canParse(page, anywhere) ? new URL(page, anywhere) : null
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
      return [{ option, code: 'INVALID_URL', message: 'expected a path like /signin, or an address' }]
    const route = ownRoute(url, basePath, sites)
    if (route === null || !isCircle(name, route, providers)) return []
    const expected = 'expected a page of the application, got a built-in route, which would redirect to itself'
    const hint = name === 'newUser' ? 'write true' : 'omit it'
    return [{ option, code: 'PAGE_LOOP', message: `${expected}; ${hint} for the built-in page` }]
  })
}
