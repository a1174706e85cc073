import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserResponse, createIssuer, type Issuer, type Send } from '@postern/testkit'
import { listen } from '@postern/testkit/hostile'
import { Ledger, type Person, rowsBySql, settle, survivorOf, type Told, watchedBrowser } from '@postern/testkit/oracle'
import Database from 'better-sqlite3'
import type { Test } from 'tap'
import { isClustered, note } from './cluster/notes.ts'
import { newPlace } from './databases.ts'
import { fromAfar, origin } from './start.ts'

export type Kind = 'transactional' | 'one by one' | 'as others'
export type Way = 'the link' | 'the form' | 'the provider'

export const ways: readonly Way[] = ['the link', 'the form', 'the provider']

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

/** Where the processes keep what outlives them, and a way in beside them. */
interface Store {
  /** A file of SQLite, or a URL of PostgreSQL. */
  readonly address: string
  readonly query: (sql: string) => Promise<readonly unknown[]>
}

export interface Stage {
  /** Whether a session of this visitor is stored. */
  readonly hasSessionOf: (name: string) => Promise<boolean>
  readonly issuer: Issuer
  readonly ledger: Ledger
  /** Starts a process in the place of the one before. */
  readonly begin: (place: Place, environment?: Readonly<Record<string, string>>) => Promise<Instance>
  /** @param onCut - Is told of every request whose connection ended before the answer. */
  readonly visitor: (place: Place, name: string, way: Way, onCut?: (error: CutError) => void) => Visitor
  /** Asks the oracle at the end; everybody signs in once more, as they did at first. */
  readonly settle: (place: Place, what: string, mayBeTold?: readonly string[]) => Promise<void>
}

/** Somebody who signs in, and remembers what came of it. */
export interface Visitor {
  readonly name: string
  readonly way: Way
  readonly browser: Browser
  /** What each try was told, from its first request to its last. */
  readonly answers: Told[]
  readonly signIn: () => Promise<Told>
  /** Opens the last link once more, and presses the button where there is one; `null` where no mail came. */
  readonly openAgain: () => Promise<Told | null>
}

export const stores = ['SQLite', 'PostgreSQL'] as const

export interface StageOptions {
  readonly kind: Kind
  /** Where the processes keep what outlives them. @defaultValue `'SQLite'` */
  readonly store?: (typeof stores)[number]
  /** Milliseconds that a mail takes. */
  readonly pause?: number
}

async function openStore(t: Test, name: StageOptions['store']): Promise<Store> {
  // What a process that is killed has to leave whole is written at once, which takes one store: no Redis.
  if (isClustered) note(t, 'on PostgreSQL', 'they kill a process in the middle of what is written at once')
  if (isClustered || name === 'PostgreSQL') {
    const { url, raw } = await newPlace(t)
    return { address: url(), query: async (sql) => (await raw.query(sql)).rows }
  }
  const file = join(t.testdir(), 'store.sqlite')
  const query = async (sql: string): Promise<readonly unknown[]> => {
    const database = new Database(file)
    try {
      return database.prepare<[], unknown>(sql).all()
    } finally {
      database.close()
    }
  }
  return { address: file, query }
}

export async function openStage(t: Test, { kind, store: name = 'SQLite', pause = 0 }: StageOptions): Promise<Stage> {
  const server = await listen()
  t.teardown(server.close)
  const issuer = createIssuer({ issuer: server.origin })
  server.serve(issuer.fetch)
  const store = await openStore(t, name)
  const links = new Map<string, string>()
  const ledger = new Ledger()
  const waysOf = new Map<string, Way>()
  const all: Instance[] = []
  t.teardown(() => all.map(({ process: child }) => child.kill('SIGKILL')))
  const sendAt =
    (place: Place): Send =>
    (request) => {
      if (!place.instance) throw new Error('expected a process')
      return sendTo(place.instance, request)
    }
  const visitor: Stage['visitor'] = (place, name, way, onCut = () => undefined) => {
    waysOf.set(name, way)
    const browser = watchedBrowser(ledger, personOf(name), { origin, send: sendAt(place) })
    const isGone = (): boolean => typeof place.instance?.process.signalCode === 'string'
    return visitorOf(name, way, { browser, issuer, links, onCut, isGone })
  }
  return {
    hasSessionOf: async (name) => {
      const sql = `select 1 from session where "userId" = (select id from "user" where email = '${addressOf(name)}')`
      return (await store.query(sql)).length > 0
    },
    issuer,
    ledger,
    begin: async (place, environment = {}) => {
      const instance = await fromProcess([store.address, server.origin, kind, `${pause}`], environment, links)
      all.push(instance)
      place.instance = instance
      return instance
    },
    visitor,
    settle: (place, what, mayBeTold = []) => {
      const signIn = (_: Browser, { name }: Person): Promise<Told> =>
        visitor(place, name, waysOf.get(name) ?? 'the link').signIn()
      const survivor = survivorOf(ledger, { origin, send: sendAt(place), rows: () => rowsBySql(store.query), signIn })
      return settle(t, ledger, survivor, { what, mayBeTold })
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
  readonly browser: Browser
  readonly issuer: Issuer
  readonly links: Map<string, string>
  readonly onCut: (error: CutError) => void
  /** Whether the process was killed that is there. */
  readonly isGone: () => boolean
}

export const addressOf = (name: string): string => `${name}@example.com`

const personOf = (name: string): Person => ({
  name,
  address: addressOf(name),
  accounts: [`demo:${name}`, `credentials:id-${name}`]
})

function visitorOf(name: string, way: Way, { browser, issuer, links, onCut, isGone }: Surroundings): Visitor {
  const answers: Told[] = []
  const linkOf = (): string => links.get(addressOf(name)) ?? ''
  const note = async (work: () => Promise<BrowserResponse>): Promise<Told> => {
    const told = await work().then(toldBy, (error: unknown): Told => {
      if (!(error instanceof CutError)) throw error
      onCut(error)
      return 'cut'
    })
    answers.push(told)
    return told
  }
  const steps: Readonly<Record<Way, () => Promise<BrowserResponse>>> = {
    'the link': async () => {
      links.delete(addressOf(name))
      const asked = await browser.submit('/api/auth/signin/email', { email: addressOf(name) })
      if (!asked.location?.includes('verify-request')) return asked
      // The mail comes another way than the answer, and may be the slower one; from who was killed none may come.
      for (let tries = 0; linkOf() === '' && tries < (isGone() ? 10 : 500); tries++) await delay(10)
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
    answers,
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
