import type { Provider } from '../model/provider.ts'
import { writeClientLog } from './browser-log.ts'
import { readCsrfToken } from './csrf.ts'
import { listProviders } from './providers.ts'
import type { Row } from './row.ts'
import { sendAsset, showError, showSignIn, showVerifyRequest, showWelcome } from './screens.ts'
import { readSession, updateSession } from './session.ts'

/** Every route of the product, and whether a POST to it needs the anti-forgery token. */
export const rows: readonly Row[] = [
  {
    method: 'GET',
    action: 'session',
    second: 'none',
    csrf: 'none',
    answers: 'scripts',
    decides: false,
    run: readSession
  },
  {
    method: 'POST',
    action: 'session',
    second: 'none',
    csrf: 'required',
    answers: 'scripts',
    decides: false,
    run: updateSession
  },
  {
    method: 'GET',
    action: 'csrf',
    second: 'none',
    csrf: 'none',
    answers: 'scripts',
    decides: false,
    run: readCsrfToken
  },
  {
    method: 'GET',
    action: 'providers',
    second: 'none',
    csrf: 'none',
    answers: 'scripts',
    decides: false,
    run: listProviders
  },
  {
    method: 'POST',
    action: 'providers',
    second: 'none',
    csrf: 'none',
    answers: 'scripts',
    decides: false,
    run: listProviders
  },
  {
    method: 'GET',
    action: 'signin',
    second: 'optional provider',
    csrf: 'none',
    answers: 'visitors',
    decides: true,
    run: showSignIn
  },
  {
    method: 'POST',
    action: 'signin',
    second: 'provider',
    csrf: 'required',
    answers: 'visitors',
    decides: true,
    run: 'startSignIn'
  },
  {
    method: 'GET',
    action: 'callback',
    second: 'provider',
    csrf: 'none',
    answers: 'visitors',
    decides: true,
    run: 'finishSignIn'
  },
  {
    method: 'POST',
    action: 'callback',
    second: 'provider',
    csrf: 'handler',
    answers: 'visitors',
    decides: true,
    run: 'finishSignIn'
  },
  {
    method: 'GET',
    action: 'signout',
    second: 'none',
    csrf: 'none',
    answers: 'visitors',
    decides: true,
    run: 'showSignOut'
  },
  {
    method: 'POST',
    action: 'signout',
    second: 'none',
    csrf: 'required',
    answers: 'visitors',
    decides: true,
    run: 'signOut'
  },
  {
    method: 'GET',
    action: 'verify-request',
    second: 'none',
    csrf: 'none',
    answers: 'visitors',
    decides: false,
    run: showVerifyRequest
  },
  { method: 'GET', action: 'error', second: 'none', csrf: 'none', answers: 'visitors', decides: false, run: showError },
  {
    method: 'GET',
    action: 'welcome',
    second: 'none',
    csrf: 'none',
    answers: 'visitors',
    decides: true,
    run: showWelcome
  },
  {
    method: 'POST',
    action: 'backchannel-logout',
    second: 'provider',
    csrf: 'none',
    answers: 'scripts',
    decides: true,
    run: 'endByProvider'
  },
  {
    method: 'GET',
    action: 'assets',
    second: 'asset',
    csrf: 'none',
    answers: 'visitors',
    decides: true,
    run: sendAsset
  },
  {
    method: 'POST',
    action: '_log',
    second: 'none',
    csrf: 'none',
    answers: 'scripts',
    decides: false,
    run: writeClientLog
  }
]

/** A row, and the provider that the path names, or `null` where it names none that is configured. */
export interface Found {
  readonly row: Row
  readonly provider: Provider | null
}

/** What paths begin with, then methods, then what is found there. */
type Tree<T> = Map<string, Map<string, T>>

function put<T>(tree: Tree<T>, { method, action }: Row, value: T): void {
  const methods = tree.get(`/${action}`) ?? new Map<string, T>()
  tree.set(`/${action}`, methods.set(method, value))
  if (method === 'GET') methods.set('HEAD', value)
}

/** The rows of paths that are the action's name and nothing else. */
const plain: Tree<Found> = new Map()

/** The rows of paths with a second part. */
const named: Tree<Row> = new Map()

for (const row of rows) {
  if (row.second === 'none' || row.second === 'optional provider') put(plain, row, { row, provider: null })
  if (row.second !== 'none') put(named, row, row)
}

/** @returns The row for a method and a path below the base path, or `null`; HEAD is answered by the row of GET. */
export function findRow(method: string, path: string, providers: ReadonlyMap<string, Provider>): Found | null {
  const found = plain.get(path)?.get(method)
  if (found) return found
  const end = path.indexOf('/', 1)
  const row = end < 0 ? undefined : named.get(path.slice(0, end))?.get(method)
  if (!row || path.includes('/', end + 1)) return null
  return { row, provider: providers.get(path.slice(end + 1)) ?? null }
}
