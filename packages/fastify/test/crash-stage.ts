import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Browser,
  type BrowserResponse,
  createIssuer,
  type Issuer,
  type Send,
  waitForMessage
} from '@postern/testkit'
import {
  getSurvivor,
  Ledger,
  type Person,
  rowsBySql,
  settle,
  type VisitResult,
  watchedBrowser
} from '@postern/testkit/consistency-checker'
import { listen } from '@postern/testkit/hostile'
import Database from 'better-sqlite3'
import type { Test } from 'tap'
import { isClustered, note } from './cluster/notes.ts'
import { createTestDatabase } from './databases.ts'
import type { FailPoint } from './fail-points.ts'
import { fromAfar, origin } from './start.ts'

export type Kind = 'transactional' | 'one by one' | 'as others'
export type SignInMethod = 'the link' | 'the form' | 'the provider'

export const methods: readonly SignInMethod[] = ['the link', 'the form', 'the provider']

/** A process of the application. */
export interface Instance {
  readonly process: ChildProcess
  readonly port: number
  /** The numbers of the requests that it has started to work on. */
  readonly accepted: Set<string>
  /** Resolves when it has ended. */
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>
  /** Resolves when the next request has reached its point. */
  readonly nextReached: () => Promise<void>
}

/** Where a user goes: the process that is there at the time. */
export interface ProcessSlot {
  instance: Instance | null
  /** Where the requests of the user stop. */
  failPoint?: FailPoint | null
}

/** The store of the processes, and a connection that does not use them. */
interface Store {
  /** A file of SQLite, or a URL of PostgreSQL. */
  readonly address: string
  readonly query: (sql: string) => Promise<readonly unknown[]>
}

export interface Stage {
  /** Whether a session of this visitor is stored. */
  readonly hasSessionFor: (name: string) => Promise<boolean>
  /** Deletes the user of a visitor, as an application does. */
  readonly deleteUser: (name: string) => Promise<void>
  readonly issuer: Issuer
  readonly ledger: Ledger
  /** Starts a process in the place of the one before. */
  readonly begin: (slot: ProcessSlot) => Promise<Instance>
  /** @param onCut - Called for every request whose connection closed before the response. */
  readonly visitor: (
    slot: ProcessSlot,
    name: string,
    method: SignInMethod,
    onCut?: (error: CutError) => void
  ) => Visitor
  /** Asks the oracle at the end; everyone signs in again, as they did at first. */
  readonly settle: (slot: ProcessSlot, title: string, allowedErrors?: readonly string[]) => Promise<void>
}

/** A user who signs in, and records the results. */
export interface Visitor {
  readonly name: string
  readonly signInMethod: SignInMethod
  readonly browser: Browser
  /** The result of each attempt, from its first request to its last. */
  readonly results: VisitResult[]
  readonly signIn: () => Promise<VisitResult>
  /** Opens the last link again, and presses the button if there is one; `null` if no mail arrived. */
  readonly openAgain: () => Promise<VisitResult | null>
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
    const { url, raw } = await createTestDatabase(t)
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
  const getMethods = new Map<string, SignInMethod>()
  const all: Instance[] = []
  t.teardown(() => all.map(({ process: child }) => child.kill('SIGKILL')))
  const sendAt =
    (slot: ProcessSlot): Send =>
    (request) => {
      if (!slot.instance) throw new Error('expected a process')
      const { instance, failPoint } = slot
      const headers = failPoint ? { ...request.headers, 'x-fail-point': failPoint } : request.headers
      return sendTo(instance, { ...request, headers })
    }
  const visitor: Stage['visitor'] = (slot, name, method, onCut = () => undefined) => {
    getMethods.set(name, method)
    const browser = watchedBrowser(ledger, getPerson(name), { origin, send: sendAt(slot) })
    const isGone = (): boolean => typeof slot.instance?.process.signalCode === 'string'
    return getVisitor(name, method, { browser, issuer, links, onCut, isGone })
  }
  return {
    hasSessionFor: async (name) => {
      const sql = `select 1 from session where "userId" = (select id from "user" where email = '${getAddress(name)}')`
      return (await store.query(sql)).length > 0
    },
    deleteUser: async (name) => {
      await store.query(`delete from "user" where email = '${getAddress(name)}' returning id`)
    },
    issuer,
    ledger,
    begin: async (slot) => {
      const instance = await fromProcess([store.address, server.origin, kind, `${pause}`], links)
      all.push(instance)
      slot.instance = instance
      return instance
    },
    visitor,
    settle: (slot, title, allowedErrors = []) => {
      const signIn = (_: Browser, { name }: Person): Promise<VisitResult> =>
        visitor(slot, name, getMethods.get(name) ?? 'the link').signIn()
      const survivor = getSurvivor(ledger, { origin, send: sendAt(slot), rows: () => rowsBySql(store.query), signIn })
      return settle(t, ledger, survivor, { title, allowedErrors })
    }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function fromProcess(args: readonly string[], links: Map<string, string>): Promise<Instance> {
  const child = fork(join(import.meta.dirname, 'crash-process.js'), args, { execArgv: [] })
  const ended = once(child, 'exit').then(([code, signal]): [number | null, NodeJS.Signals | null] => [code, signal])
  const accepted = new Set<string>()
  const nextReached = async (): Promise<void> => {
    await waitForMessage(child, ({ reached }) => reached)
  }
  return new Promise((resolve, reject) => {
    void ended.then(([code, signal]) => reject(new Error(`the process ended too early: ${code ?? signal}`)))
    child.on('message', (message) => {
      if (!isRecord(message)) return
      const { port, mail, accepted: number } = message
      if (typeof number === 'string') accepted.add(number)
      if (isRecord(mail))
        links.set(String(mail['to']), /https:\S+callback\/email\S+/.exec(String(mail['text']))?.[0] ?? '')
      if (typeof port === 'number') resolve({ process: child, port, accepted, ended, nextReached })
    })
  })
}

let requests = 0

/** Reaches a process on loopback, each time through a separate connection. */
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
        if (message.headers['x-process'] !== `${pid}`) return fail(new Error('another user has the port already'))
        const result = { status: message.statusCode ?? 0, headers: message.headers }
        resolve({ ...result, body: Buffer.concat(chunks).toString() })
      })
    })
    request.on('error', fail)
    request.end(body)
  })

/** A connection that ended before the response had come. */
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

export const getAddress = (name: string): string => `${name}@example.com`

const getPerson = (name: string): Person => ({
  name,
  address: getAddress(name),
  accounts: [`demo:${name}`, `credentials:id-${name}`]
})

function getVisitor(
  name: string,
  method: SignInMethod,
  { browser, issuer, links, onCut, isGone }: Surroundings
): Visitor {
  const results: VisitResult[] = []
  const getLink = (): string => links.get(getAddress(name)) ?? ''
  const note = async (work: () => Promise<BrowserResponse>): Promise<VisitResult> => {
    const result = await work().then(getResult, (error: unknown): VisitResult => {
      if (!(error instanceof CutError)) throw error
      onCut(error)
      return 'cut'
    })
    results.push(result)
    return result
  }
  const steps: Readonly<Record<SignInMethod, () => Promise<BrowserResponse>>> = {
    'the link': async () => {
      links.delete(getAddress(name))
      const response = await browser.submit('/api/auth/signin/email', { email: getAddress(name) })
      if (!response.location?.includes('verify-request')) return response
      // The mail comes another way than the response, and may be the slower one; from who was killed none may come.
      for (let tries = 0; getLink() === '' && tries < (isGone() ? 10 : 500); tries++) await delay(10)
      return browser.open(getLink(), { headers: fromAfar })
    },
    'the form': () => browser.submit('/api/auth/callback/credentials', { username: name, password: 'lovelace' }),
    'the provider': async () => {
      const started = await browser.submit('/api/auth/signin/demo', {})
      if (started.location === null || started.location.startsWith(origin)) return started
      const person = { sub: name, name, email: getAddress(name), email_verified: true }
      return browser.open(await issuer.authorize(started.location, person), { headers: fromAfar })
    }
  }
  return {
    name,
    signInMethod: method,
    browser,
    results,
    signIn: () => note(steps[method]),
    openAgain: async () => {
      const link = getLink()
      if (link === '') return null
      return note(async () => {
        const page = await browser.open(link, { headers: fromAfar })
        return page.status === 200 ? browser.fill(page, '/api/auth/callback/email') : page
      })
    }
  }
}

function getResult({ status, location, setCookies }: BrowserResponse): VisitResult {
  const error = location === null ? null : new URL(location, origin).searchParams.get('error')
  if (error) return `error ${error}`
  const isSession = setCookies.some(({ name, value }) => name.includes('session-token') && value !== '')
  return isSession ? 'session' : `error ${status}`
}
