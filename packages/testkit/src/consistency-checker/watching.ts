import type { BrowserAnswer, BrowserRequest, Send } from '../browser/send.ts'
import { parseSetCookie } from '../browser/set-cookie.ts'
import type { Ledger, Person, VisitResult } from './ledger.ts'

type Kind = 'sign-in' | 'sign-out' | 'reading' | 'other'

function getKind({ method, url }: BrowserRequest): Kind {
  const { pathname } = new URL(url, 'https://app.test')
  if (/\/callback\/[^/]+$/.test(pathname)) return 'sign-in'
  if (method === 'POST' && pathname.endsWith('/signout')) return 'sign-out'
  return method === 'GET' && pathname.endsWith('/session') ? 'reading' : 'other'
}

const isSessionCookie = (name: string): boolean => name.includes('session-token')

type Pair = readonly [name: string, value: string]

/** The session cookies as one string, ordered by name: long ones are chunked. */
function joined(pairs: readonly Pair[]): string | null {
  const own = pairs.filter(([name, value]) => isSessionCookie(name) && value !== '')
  const text = own.map(([name, value]) => `${name}=${value}`).sort()
  return text.length > 0 ? text.join('; ') : null
}

function sessionSent({ headers }: BrowserRequest): string | null {
  const pairs = (headers['cookie'] ?? '').split('; ').map((text): Pair => {
    const equals = text.indexOf('=')
    return [text.slice(0, equals), text.slice(equals + 1)]
  })
  return joined(pairs)
}

/** The effect of a response on the session cookie: the value that it sets, and whether it clears one. */
function sessionSet({ headers }: BrowserAnswer): { readonly given: string | null; readonly isCleared: boolean } {
  const set = [headers['set-cookie'] ?? []].flat().map(parseSetCookie)
  const given = joined(set.map(({ name, value }): Pair => [name, value]))
  return { given, isCleared: given === null && set.some(({ name }) => isSessionCookie(name)) }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function getJson(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The error code in the URL of a redirect. */
function getCode({ headers, body }: BrowserAnswer): string | null {
  const { url } = getJson(body)
  const location = typeof headers['location'] === 'string' ? headers['location'] : url
  return typeof location === 'string' ? new URL(location, 'https://app.test').searchParams.get('error') : null
}

/** @returns The result of a sign-in; `null` for a page that asks for confirmation. */
function getResult(response: BrowserAnswer, given: string | null): VisitResult | null {
  if (given !== null) return 'session'
  const code = getCode(response)
  if (code !== null) return `error ${code}`
  return response.status === 200 ? null : `error ${response.status}`
}

function getLink({ url, body = '' }: BrowserRequest): string | null {
  const { pathname, searchParams } = new URL(url, 'https://app.test')
  if (!pathname.endsWith('/callback/email')) return null
  const fields = body.startsWith('{') ? getJson(body) : Object.fromEntries(new URLSearchParams(body))
  const named = searchParams.get('token') ?? fields['token'] ?? fields['code']
  return typeof named === 'string' ? named : null
}

/** The address in the response of the session route, or `null` for none. */
export function namedIn(body: string): string | null {
  const { user } = getJson(body)
  return isRecord(user) ? String(user['email']) : null
}

/** Records every request of a person. */
export function watching(ledger: Ledger, person: Person): (send: Send) => Send {
  ledger.of(person)
  return (send) => async (request) => {
    const kind = getKind(request)
    const before = sessionSent(request)
    const isEnding = kind === 'sign-in' || kind === 'sign-out'
    if (isEnding) ledger.change(before, null)
    const changes = getChanges(ledger, before)
    const began = performance.now()
    const response = await send(request).catch((error: unknown) => {
      if (isEnding) ledger.note(person, { result: 'cut', before, link: getLink(request) })
      throw error
    })
    ledger.slowest = Math.max(ledger.slowest, performance.now() - began)
    const isSame = changes === getChanges(ledger, before)
    take(ledger, { kind, person, request, response, before, isSame })
    return response
  }
}

const getChanges = ({ cookies }: Ledger, cookie: string | null): number | null =>
  (cookie === null ? null : cookies.get(cookie)?.changes) ?? null

interface Exchange {
  readonly kind: Kind
  readonly person: Person
  readonly request: BrowserRequest
  readonly response: BrowserAnswer
  readonly before: string | null
  /** Whether nothing else changed the session in the meantime. */
  readonly isSame: boolean
}

function take(ledger: Ledger, exchange: Exchange): void {
  const { kind, person, request, response, before } = exchange
  const { given, isCleared } = sessionSet(response)
  const where = `${request.method} ${new URL(request.url, 'https://app.test').pathname}`
  if (response.status >= 500 && response.status !== 503)
    ledger.complaints.push(`${person.name}: ${where} was answered ${response.status}`)
  if (kind === 'sign-in') {
    const result = getResult(response, given)
    if (result !== null) ledger.note(person, { result, given, before, link: getLink(request) })
  } else if (kind === 'sign-out') {
    const result = response.status < 400 && isCleared ? 'signed out' : (`error ${response.status}` as const)
    ledger.note(person, { result, before })
  } else {
    if (given !== null) ledger.give(person, given)
    if (isCleared && isGood(ledger, exchange)) ledger.complaints.push(`${person.name}: ${where} took the session away`)
  }
  if (kind === 'reading') read(ledger, exchange)
}

const isGood = ({ cookies }: Ledger, { before, isSame }: Exchange): boolean =>
  before !== null && isSame && cookies.get(before)?.state === 'good'

function read(ledger: Ledger, exchange: Exchange): void {
  const { person, response, before, isSame } = exchange
  ledger.reads += 1
  if (response.status === 503) return
  const named = response.status === 200 ? namedIn(response.body) : `status ${response.status}`
  const hasEnded = before === null || ledger.cookies.get(before)?.state === 'ended'
  if (isGood(ledger, exchange) && named !== person.address)
    ledger.complaints.push(`${person.name}, who is signed in, got a session of ${named ?? 'no one'}`)
  if (hasEnded && isSame && named !== null)
    ledger.complaints.push(`${person.name}, who is not signed in, got a session of ${named}`)
}
