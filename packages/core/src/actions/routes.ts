import type { CsrfToken } from '../csrf/csrf-token.ts'
import { type ActionResult, json, text } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { chain } from '../model/awaitable.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import type { Provider } from '../model/provider.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import type { RouteDefinition, Run } from './route.ts'
import { sendAsset, showError, showSignIn, showVerifyRequest, showWelcome } from './screens.ts'
import { readSession, updateSession } from './session.ts'

/** A route as the table states it; {@link toRoute} adds the omitted fields. */
type RouteRow = Pick<RouteDefinition, 'method' | 'action' | 'run'> & Partial<RouteDefinition>

/** By default, a POST requires the CSRF token, and a page handles its redirects itself. */
function toRoute({
  method,
  action,
  parameter = 'none',
  csrf = method === 'POST' ? 'required' : 'none',
  answers = 'html',
  handlesRedirect = answers === 'html',
  run
}: RouteRow): RouteDefinition {
  return { method, action, parameter, csrf, answers, handlesRedirect, run }
}

const toResult = ({ token, cookies }: CsrfToken): ActionResult => json({ csrfToken: token }, cookies)

/** Returns the CSRF token of this browser. */
const readCsrfToken: Run = (request, { csrf }) => chain(csrf.readOrIssue(request.cookies), toResult)

/** Lists the providers, by id. */
const listProviders: Run = async (_request, { providers, base }) => {
  const listed = [...providers.values()].filter(({ id }) => id !== confirmationProviderId)
  const byId = listed.map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: signinUrlAt(base, id), callbackUrl: redirectUriAt(base, id) }
  ])
  return json(Object.fromEntries(byId))
}

/** Writes a log entry of the browser: a level of this list, and a short message with its source. */
const writeBrowserLog: Run = async ({ body, id }, { clientLog, logger }) => {
  if (!clientLog) return text('Error: the client log is switched off', 404)
  const level = getText(body, 'level')
  const code = (getText(body, 'code') ?? '').replaceAll(/[^A-Za-z0-9_.-]/g, '').slice(0, 64)
  const message = (getText(body, 'message') ?? '').replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 500)
  const metadata = { client: true, ref: id, message }
  if (level === 'error') logger.error(code, metadata)
  else if (level === 'warn') logger.warn(code, metadata)
  else if (level === 'debug') logger.debug(code, metadata)
  return json({})
}

const rows: readonly RouteRow[] = [
  { method: 'GET', action: 'session', answers: 'json', run: readSession },
  { method: 'POST', action: 'session', answers: 'json', run: updateSession },
  { method: 'GET', action: 'csrf', answers: 'json', run: readCsrfToken },
  { method: 'GET', action: 'providers', answers: 'json', run: listProviders },
  { method: 'POST', action: 'providers', answers: 'json', csrf: 'none', run: listProviders },
  { method: 'GET', action: 'signin', parameter: 'optional provider', run: showSignIn },
  { method: 'POST', action: 'signin', parameter: 'optional provider', run: 'startSignIn' },
  { method: 'GET', action: 'callback', parameter: 'provider', run: 'finishSignIn' },
  { method: 'POST', action: 'callback', parameter: 'provider', csrf: 'handler', run: 'finishSignIn' },
  { method: 'GET', action: 'signout', run: 'showSignOut' },
  { method: 'POST', action: 'signout', run: 'signOut' },
  { method: 'GET', action: 'verify', run: 'showVerification' },
  { method: 'GET', action: 'verify-request', handlesRedirect: false, run: showVerifyRequest },
  { method: 'GET', action: 'error', handlesRedirect: false, run: showError },
  { method: 'GET', action: 'welcome', run: showWelcome },
  {
    method: 'POST',
    action: 'backchannel-logout',
    parameter: 'provider',
    csrf: 'none',
    answers: 'json',
    handlesRedirect: true,
    run: 'backchannelLogout'
  },
  { method: 'GET', action: 'assets', parameter: 'asset', run: sendAsset },
  { method: 'POST', action: '_log', csrf: 'none', answers: 'json', run: writeBrowserLog }
]

/** All routes, and whether a POST requires the CSRF token. */
export const routes: readonly RouteDefinition[] = rows.map(toRoute)

/** A route, and the provider that the path names; `null` if it names no configured provider. */
export interface FoundRoute {
  readonly route: RouteDefinition
  readonly provider: Provider | null
}

/** Maps the first part of the path, then the method. */
type Tree<T> = Map<string, Map<string, T>>

function put<T>(tree: Tree<T>, { method, action }: RouteDefinition, value: T): void {
  const methods = tree.get(`/${action}`) ?? new Map<string, T>()
  tree.set(`/${action}`, methods.set(method, value))
  if (method === 'GET') methods.set('HEAD', value)
}

/** The routes whose path is the name of the action. */
const plain: Tree<FoundRoute> = new Map()

/** The routes whose path has a second part. */
const named: Tree<RouteDefinition> = new Map()

for (const row of routes) {
  if (row.parameter === 'none' || row.parameter === 'optional provider') put(plain, row, { route: row, provider: null })
  if (row.parameter !== 'none') put(named, row, row)
}

/** @returns The route for a method and a path below the base path, or `null`. HEAD uses the route of GET. */
export function findRoute(method: string, path: string, providers: ReadonlyMap<string, Provider>): FoundRoute | null {
  const found = plain.get(path)?.get(method)
  if (found) return found
  const end = path.indexOf('/', 1)
  const route = end < 0 ? undefined : named.get(path.slice(0, end))?.get(method)
  if (!route || path.includes('/', end + 1)) return null
  return { route, provider: providers.get(path.slice(end + 1)) ?? null }
}
