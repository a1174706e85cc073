import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Browser,
  type BrowserResponse,
  createBrowser,
  createIssuer,
  type Issuer,
  type Send
} from '@postern/testkit'
import { listen } from '@postern/testkit/hostile'
import Database from 'better-sqlite3'
import type { Test } from 'tap'
import { fromAfar, origin } from './start.ts'

export type Kind = 'transactional' | 'one by one' | 'as others'
export type Way = 'the link' | 'the form' | 'the provider'

export const ways: readonly Way[] = ['the link', 'the form', 'the provider']

/** What a visitor was told in the end: a session, the code of an error, or nothing, as the connection was cut. */
export type Told = 'session' | 'cut' | `error ${string}`

/** A process of the application. */
export interface Instance {
  readonly process: ChildProcess
  readonly port: number
  /** The numbers of the requests that it has begun to work on. */
  readonly accepted: Set<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>
}

/** Where somebody goes: the process that is there at the time. */
export interface Place {
  instance: Instance | null
}

export interface Stage {
  readonly file: string
  readonly issuer: Issuer
  readonly links: ReadonlyMap<string, string>
  /** Starts a process in the place of the one before. */
  readonly begin: (place: Place, environment?: Readonly<Record<string, string>>) => Promise<Instance>
  /** @param onCut - Is told of every request whose connection ended before the answer. */
  readonly visitor: (place: Place, name: string, way: Way, onCut?: (error: CutError) => void) => Visitor
}

/** Somebody who signs in, and remembers what came of it. */
export interface Visitor {
  readonly name: string
  readonly way: Way
  readonly browser: Browser
  /** What each try was told. */
  readonly ledger: Told[]
  readonly signIn: () => Promise<Told>
  /** Opens the last link once more, and presses the button where there is one; `null` where no mail came. */
  readonly openAgain: () => Promise<Told | null>
}

export interface StageOptions {
  readonly kind: Kind
  /** Milliseconds that a mail takes. */
  readonly pause?: number
}

export async function openStage(t: Test, { kind, pause = 0 }: StageOptions): Promise<Stage> {
  const server = await listen()
  t.teardown(server.close)
  const issuer = createIssuer({ issuer: server.origin })
  server.serve(issuer.fetch)
  const file = join(t.testdir(), 'store.sqlite')
  const links = new Map<string, string>()
  const all: Instance[] = []
  t.teardown(() => all.map(({ process: child }) => child.kill('SIGKILL')))
  return {
    file,
    issuer,
    links,
    begin: async (place, environment = {}) => {
      const instance = await fromProcess([file, server.origin, kind, `${pause}`], environment, links)
      all.push(instance)
      place.instance = instance
      return instance
    },
    visitor: (place, name, way, onCut = () => undefined) => {
      const send: Send = (request) => {
        if (!place.instance) throw new Error('expected a process')
        return sendTo(place.instance, request)
      }
      return visitorOf(name, way, { issuer, links, send, onCut })
    }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function fromProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  links: Map<string, string>
): Promise<Instance> {
  const child = fork(join(import.meta.dirname, 'crash-process.js'), args, {
    execArgv: [],
    env: { ...process.env, ...environment }
  })
  const ended = once(child, 'exit').then(([code, signal]): [number | null, NodeJS.Signals | null] => [code, signal])
  const accepted = new Set<string>()
  return new Promise((resolve, reject) => {
    void ended.then(([code, signal]) => reject(new Error(`the process ended too early: ${code ?? signal}`)))
    child.on('message', (message) => {
      if (!isRecord(message)) return
      const { port, mail, accepted: number } = message
      if (typeof number === 'string') accepted.add(number)
      if (isRecord(mail))
        links.set(String(mail['to']), /https:\S+callback\/email\S+/.exec(String(mail['text']))?.[0] ?? '')
      if (typeof port === 'number') resolve({ process: child, port, accepted, ended })
    })
  })
}

let requests = 0

/** Reaches a process on loopback, each time through a connection of its own. */
const sendTo = (
  { port, process: { pid } }: Instance,
  { method, url, headers, body }: Parameters<Send>[0]
): ReturnType<Send> =>
  new Promise((resolve, reject) => {
    const number = `${++requests}`
    const fail = (error: unknown): void => reject(new CutError(number, error))
    const options = { host: '127.0.0.1', port, method, path: url, agent: false } as const
    const request = httpRequest({ ...options, headers: { ...headers, 'x-request-number': number } }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('error', fail)
      message.on('end', () => {
        if (message.headers['x-process'] !== `${pid}`) return fail(new Error('somebody else has the port by now'))
        const answer = { status: message.statusCode ?? 0, headers: message.headers }
        resolve({ ...answer, body: Buffer.concat(chunks).toString() })
      })
    })
    request.on('error', fail)
    request.end(body)
  })

/** A connection that ended before the answer had come. */
export class CutError extends Error {
  readonly number: string

  constructor(number: string, cause: unknown) {
    super(`request ${number} was cut`, { cause })
    this.number = number
  }
}

interface Surroundings {
  readonly issuer: Issuer
  readonly links: ReadonlyMap<string, string>
  readonly send: Send
  readonly onCut: (error: CutError) => void
}

export const addressOf = (name: string): string => `${name}@example.com`

function visitorOf(name: string, way: Way, { issuer, links, send, onCut }: Surroundings): Visitor {
  const browser = createBrowser({ origin, send })
  const ledger: Told[] = []
  const linkOf = (): string => links.get(addressOf(name)) ?? ''
  const note = async (work: () => Promise<BrowserResponse>): Promise<Told> => {
    const told = await work().then(toldBy, (error: unknown): Told => {
      if (!(error instanceof CutError)) throw error
      onCut(error)
      return 'cut'
    })
    ledger.push(told)
    return told
  }
  const steps: Readonly<Record<Way, () => Promise<BrowserResponse>>> = {
    'the link': async () => {
      const asked = await browser.submit('/api/auth/signin/email', { email: addressOf(name) })
      if (!asked.location?.includes('verify-request')) return asked
      // The mail comes another way than the answer, and may be the slower one.
      for (let tries = 0; linkOf() === '' && tries < 500; tries++) await delay(10)
      return browser.open(linkOf(), { headers: fromAfar })
    },
    'the form': () => browser.submit('/api/auth/callback/credentials', { username: name, password: 'lovelace' }),
    'the provider': async () => {
      const begun = await browser.submit('/api/auth/signin/demo', {})
      if (begun.location === null || begun.location.startsWith(origin)) return begun
      const person = { sub: name, name, email: addressOf(name), email_verified: true }
      return browser.open(await issuer.authorize(begun.location, person), { headers: fromAfar })
    }
  }
  return {
    name,
    way,
    browser,
    ledger,
    signIn: () => note(steps[way]),
    openAgain: async () => {
      const link = linkOf()
      if (link === '') return null
      return note(async () => {
        const page = await browser.open(link, { headers: fromAfar })
        return page.status === 200 ? browser.fill(page, '/api/auth/callback/email') : page
      })
    }
  }
}

function toldBy({ status, location, setCookies }: BrowserResponse): Told {
  const error = location === null ? null : new URL(location, origin).searchParams.get('error')
  if (error) return `error ${error}`
  const isSession = setCookies.some(({ name, value }) => name.includes('session-token') && value !== '')
  return isSession ? 'session' : `error ${status}`
}

export interface Rows {
  readonly users: readonly {
    readonly id: string
    readonly email: string | null
    readonly emailVerified: number | null
  }[]
  readonly accounts: readonly {
    readonly userId: string
    readonly provider: string
    readonly providerAccountId: string
  }[]
  readonly sessions: readonly { readonly userId: string }[]
}

export function rowsOf(file: string): Rows {
  const database = new Database(file)
  const all = <T>(table: string): readonly T[] => database.prepare<[], T>(`select * from "${table}"`).all()
  try {
    return { users: all('user'), accounts: all('account'), sessions: all('session') }
  } finally {
    database.close()
  }
}

/** What is wrong with what is stored, held against what the visitors were told; nothing, where all is well. */
export function findings(file: string, visitors: readonly Visitor[]): readonly string[] {
  const { users, accounts, sessions } = rowsOf(file)
  const ids = new Set(users.map(({ id }) => id))
  const homeless = [...accounts, ...sessions].filter(({ userId }) => !ids.has(userId))
  const strangers = users.filter(({ email }) => !visitors.some(({ name }) => addressOf(name) === email))
  return [
    ...homeless.map(({ userId }) => `a row of a user who is not there: ${userId}`),
    ...strangers.map(({ email }) => `a user whom nobody asked for: ${email}`),
    ...visitors.flatMap((visitor) => findingsOf(visitor, { users, accounts, sessions }))
  ]
}

function findingsOf({ name, way, ledger }: Visitor, { users, accounts, sessions }: Rows): readonly string[] {
  const own = users.filter(({ email }) => email === addressOf(name))
  const count = <R extends { readonly userId: string }>(rows: readonly R[]): number =>
    rows.filter(({ userId }) => own.some(({ id }) => id === userId)).length
  const told = ledger.filter((entry) => entry === 'session').length
  const unknown = ledger.length - told
  const story = `${name}, by ${way}, told ${ledger.join(', ') || 'nothing'}`
  const hasWayIn = count(accounts) > 0 || own.every(({ emailVerified }) => emailVerified !== null)
  // A browser that signs in again ends the session that it had: one told is one there at least.
  const [least, most] = [told > 0 ? 1 : 0, told + unknown]
  return [
    ...(own.length > 1 ? [`${story}: ${own.length} users`] : []),
    ...(told > 0 && own.length === 0 ? [`${story}: no user`] : []),
    ...(hasWayIn ? [] : [`${story}: a user without an account and without a proven address`]),
    ...(count(accounts) > 1 ? [`${story}: ${count(accounts)} accounts`] : []),
    ...(count(sessions) < least || count(sessions) > most ? [`${story}: ${count(sessions)} sessions`] : [])
  ]
}
