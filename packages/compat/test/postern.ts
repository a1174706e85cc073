import { join } from 'node:path'
import type { PosternOptions } from '@postern/core'
import { type Browser, type CookieJar, createBrowser, fromInject, type Send } from '@postern/testkit'
import { notice, type RemoteProcess, startProcess } from '@postern/testkit/remote'
import type { FastifyInstance } from 'fastify'
import { openInstance } from './instance.ts'

export const origin = 'https://app.test'
export const secret = 'a secret of the tests, 32 characters or more'

export interface Test {
  teardown(work: () => unknown): unknown
}

/** One line of the log. */
export interface Line {
  readonly level: 'error' | 'warn' | 'debug'
  readonly code: string
  readonly metadata: unknown
}

export interface Started {
  readonly app: FastifyInstance
  /** A browser in front of the application, with its own cookies or with those of another. */
  readonly browser: (cookies?: CookieJar) => Browser
  readonly log: readonly Line[]
}

/** Keeps what is logged. */
export function createLog() {
  const lines: Line[] = []
  const write = (level: Line['level']) =>
    notice((code: string, metadata?: unknown) => void lines.push({ level, code, metadata }))
  return { lines, logger: { error: write('error'), warn: write('warn'), debug: write('debug') } }
}

/**
 * With `POSTERN_CLUSTER=1` each request goes to either of two instances, of which one is a separate process; what they
 * share is what the test gives.
 */
export const isClustered = Boolean(process.env['POSTERN_CLUSTER'])

/** Milliseconds: long enough for a function that responds, in another process too, and short for one that does not. */
export const patience = isClustered ? 400 : 40

/** What one instance revoked counts at once, not within a second. */
const concurrent = { revocationRefresh: 0 }

let other: RemoteProcess | null = null

interface Elsewhere {
  readonly send: Send
  readonly close: () => Promise<void>
}

const isElsewhere = (value: unknown): value is Elsewhere =>
  typeof value === 'object' && value !== null && 'send' in value && 'close' in value

/** Makes the instance in the other process. */
async function openElsewhere(t: Test, options: PosternOptions): Promise<Send> {
  other ??= startProcess(join(import.meta.dirname, 'process.js'))
  const instance = await other.call(options)
  if (!isElsewhere(instance)) throw new TypeError('expected an instance')
  t.teardown(instance.close)
  return instance.send
}

/** The options of a test application. */
export interface StartOptions extends Omit<PosternOptions, 'secret'> {
  readonly secret?: PosternOptions['secret']
  /** 1 where a test is about what one process remembers. @defaultValue 2 with `POSTERN_CLUSTER=1` */
  readonly instances?: number
}

/** An application of Postern. */
export async function startPostern(
  t: Test,
  { instances = isClustered ? 2 : 1, ...given }: StartOptions
): Promise<Started> {
  const { lines, logger } = createLog()
  const constants = instances > 1 ? { constants: { ...concurrent, ...given.constants } } : {}
  // next-auth links an account to the signed-in user without a question.
  const linking = { signedIn: 'link', ...given.linking } as const
  const options: PosternOptions = { url: origin, secret, logger, ...given, linking, ...constants }
  const app = await openInstance(options)
  t.teardown(() => app.close())
  const sends = [fromInject(app), ...(instances > 1 ? [await openElsewhere(t, options)] : [])]
  const send: Send = (request) => (sends[Math.floor(Math.random() * sends.length)] ?? fromInject(app))(request)
  const browser: Started['browser'] = (cookies) => createBrowser({ origin, send, ...(cookies ? { cookies } : {}) })
  return { app, browser, log: lines }
}
