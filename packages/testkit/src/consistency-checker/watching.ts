import type { BrowserAnswer, BrowserRequest, Send } from '../browser/send.ts'
import { parseSetCookie } from '../browser/set-cookie.ts'
import type { Ledger, Person, Told } from '../oracle/ledger.ts'

type Kind = 'sign-in' | 'sign-out' | 'reading' | 'other'

function kindOf({ method, url }: BrowserRequest): Kind {
  const { pathname } = new URL(url, 'https://app.test')
  if (/\/callback\/[^/]+$/.test(pathname)) return 'sign-in'
  if (method === 'POST' && pathname.endsWith('/signout')) return 'sign-out'
  return method === 'GET' && pathname.endsWith('/session') ? 'reading' : 'other'
}

const isSessionCookie = (name: string): boolean => name.includes('session-token')

type Pair = readonly [name: string, value: string]

/** Session cookies as one text, in the order of their names: long ones come in pieces. */
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

/** What an answer does to the session cookie: the one that it sets, and whether it takes one away. */
function sessionSet({ headers }: BrowserAnswer): { readonly given: string | null; readonly isCleared: boolean } {
  const set = [headers['set-cookie'] ?? []].flat().map(parseSetCookie)
  const given = joined(set.map(({ name, value }): Pair => [name, value]))
  return { given, isCleared: given === null && set.some(({ name }) => isSessionCookie(name)) }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function jsonOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The code of an error, from the address that a visitor is sent to. */
function codeOf({ headers, body }: BrowserAnswer): string | null {
  const { url } = jsonOf(body)
  const place = typeof headers['location'] === 'string' ? headers['location'] : url
  return typeof place === 'string' ? new URL(place, 'https://app.test').searchParams.get('error') : null
}

/** @returns What a sign-in was told; `null` for a page that asks for a confirmation. */
function toldBy(answer: BrowserAnswer, given: string | null): Told | null {
  if (given !== null) return 'session'
  const code = codeOf(answer)
  if (code !== null) return `error ${code}`
  return answer.status === 200 ? null : `error ${answer.status}`
}

function linkOf({ url, body = '' }: BrowserRequest): string | null {
  const { pathname, searchParams } = new URL(url, 'https://app.test')
  if (!pathname.endsWith('/callback/email')) return null
  const fields = body.startsWith('{') ? jsonOf(body) : Object.fromEntries(new URLSearchParams(body))
  const named = searchParams.get('token') ?? fields['token'] ?? fields['code']
  return typeof named === 'string' ? named : null
}

/** Whom the answer of the session route names: an address, or `null` for nobody. */
export function namedIn(body: string): string | null {
  const { user } = jsonOf(body)
  return isRecord(user) ? String(user['email']) : null
}

/** Notes everything that goes through on behalf of a person. */
export function watching(ledger: Ledger, person: Person): (send: Send) => Send {
  ledger.of(person)
  return (send) => async (request) => {
    const kind = kindOf(request)
    const before = sessionSent(request)
    const isEnding = kind === 'sign-in' || kind === 'sign-out'
    if (isEnding) ledger.change(before, null)
    const changes = changesOf(ledger, before)
    const began = performance.now()
    const answer = await send(request).catch((error: unknown) => {
      if (isEnding) ledger.note(person, { told: 'cut', before, link: linkOf(request) })
      throw error
    })
    ledger.slowest = Math.max(ledger.slowest, performance.now() - began)
    const isSame = changes === changesOf(ledger, before)
    take(ledger, { kind, person, request, answer, before, isSame })
    return answer
  }
}

const changesOf = ({ cookies }: Ledger, cookie: string | null): number | null =>
  (cookie === null ? null : cookies.get(cookie)?.changes) ?? null

interface Exchange {
  readonly kind: Kind
  readonly person: Person
  readonly request: BrowserRequest
  readonly answer: BrowserAnswer
  readonly before: string | null
  /** Whether nobody else did anything to the session in the meantime. */
  readonly isSame: boolean
}

function take(ledger: Ledger, exchange: Exchange): void {
  const { kind, person, request, answer, before } = exchange
  const { given, isCleared } = sessionSet(answer)
  const where = `${request.method} ${new URL(request.url, 'https://app.test').pathname}`
  if (answer.status >= 500 && answer.status !== 503)
    ledger.complaints.push(`${person.name}: ${where} was answered ${answer.status}`)
  if (kind === 'sign-in') {
    const told = toldBy(answer, given)
    if (told !== null) ledger.note(person, { told, given, before, link: linkOf(request) })
  } else if (kind === 'sign-out') {
    const told = answer.status < 400 && isCleared ? 'signed out' : (`error ${answer.status}` as const)
    ledger.note(person, { told, before })
  } else {
    if (given !== null) ledger.give(person, given)
    if (isCleared && isGood(ledger, exchange)) ledger.complaints.push(`${person.name}: ${where} took the session away`)
  }
  if (kind === 'reading') read(ledger, exchange)
}

const isGood = ({ cookies }: Ledger, { before, isSame }: Exchange): boolean =>
  before !== null && isSame && cookies.get(before)?.state === 'good'

function read(ledger: Ledger, exchange: Exchange): void {
  const { person, answer, before, isSame } = exchange
  ledger.reads += 1
  if (answer.status === 503) return
  const named = answer.status === 200 ? namedIn(answer.body) : `status ${answer.status}`
  const hasEnded = before === null || ledger.cookies.get(before)?.state === 'ended'
  if (isGood(ledger, exchange) && named !== person.address)
    ledger.complaints.push(`${person.name}, who is signed in, was told to be ${named ?? 'nobody'}`)
  if (hasEnded && isSame && named !== null)
    ledger.complaints.push(`${person.name}, who is not signed in, was told to be ${named}`)
}
