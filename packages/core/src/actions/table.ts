import type { Provider } from '../model/provider.ts'
import { writeClientLog } from './client-log.ts'
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

const byKey = new Map(rows.map((row) => [`${row.method} ${row.action}`, row]))

/** The rows of paths that are the action's name and nothing else, by path, then by method. */
const byPath = new Map<string, Map<string, Found>>()
for (const row of rows) {
  if (row.second !== 'none' && row.second !== 'optional provider') continue
  const found: Found = { row, provider: null }
  const methods = byPath.get(`/${row.action}`) ?? new Map<string, Found>()
  byPath.set(`/${row.action}`, methods.set(row.method, found))
  if (row.method === 'GET') methods.set('HEAD', found)
}

/** Whether a path may have this many parts for a row. */
function fits({ second }: Row, parts: number): boolean {
  if (second === 'none') return parts === 1
  return second === 'optional provider' ? parts === 1 || parts === 2 : parts === 2
}

/** @returns The row for a method and a path below the base path, or `null`; HEAD is answered by the row of GET. */
export function findRow(method: string, path: string, providers: ReadonlyMap<string, Provider>): Found | null {
  const plain = byPath.get(path)?.get(method)
  if (plain) return plain
  const [, action = '', second = '', ...more] = path.split('/')
  const row = byKey.get(`${method === 'HEAD' ? 'GET' : method} ${action}`)
  const parts = second === '' && more.length === 0 && path.endsWith(action) ? 1 : 2 + more.length
  if (!row || !fits(row, parts)) return null
  return { row, provider: providers.get(second) ?? null }
}
