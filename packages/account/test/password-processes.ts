import { fork } from 'node:child_process'
import { join } from 'node:path'
import { type BrowserResponse, type Send, waitForMessage } from '@postern/testkit'
import { origin } from './password-application.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

interface AssertingTest {
  same(found: unknown, wanted: unknown, message: string): unknown
}

/** Sends a request with the headers that interrupt it. */
export type InterruptedSend = (headers: Readonly<Record<string, string>>) => Promise<BrowserResponse>

/** Yields a request that is interrupted, and continues after the process has been started again. */
export type InterruptedRun = AsyncGenerator<InterruptedSend, void>

/** A process with the application of a module that serves it with kills. */
export interface ApplicationProcess {
  readonly port: number
  readonly send: Send
  /** The token of the link in the next mail that has one. Ask before it is sent. */
  readonly nextToken: () => Promise<string>
  /** The code in the next mail that has one on a line of its own. Ask before it is sent. */
  readonly nextCode: () => Promise<string>
  /** The link that signs in in the next mail that has one. Ask before it is sent. */
  readonly nextSignInLink: () => Promise<string>
  /** Sends a request that stops before its write of this number, or before the response if it makes fewer. */
  readonly hold: (send: InterruptedSend, at: number) => Promise<void>
  /** Kills the process. @returns Which of the requests that were held got no response. */
  readonly kill: () => Promise<readonly boolean[]>
}

/** Interrupts several runs by killing one process: starting one takes longer than the requests of a run. */
export async function interrupt(
  t: AssertingTest,
  { hold, kill, restart }: Pick<ApplicationProcess, 'hold' | 'kill'> & { readonly restart: () => Promise<void> },
  runs: readonly { readonly run: InterruptedRun; readonly at: number }[]
): Promise<void> {
  for (const { run, at } of runs) {
    const step = await run.next()
    if (step.done) throw new Error('expected a request to interrupt')
    await hold(step.value, at)
  }
  t.same(
    await kill(),
    runs.map(() => true),
    'all requests were cut'
  )
  await restart()
  for (const { run } of runs) {
    const { done } = await run.next()
    if (!done) throw new Error('expected one request to interrupt')
  }
}

interface ProcessOptions {
  /** The file of SQLite, or the URL of a server. */
  readonly address: string
  readonly kind?: string
  readonly strategy: string
  /** The module that it runs. */
  readonly module?:
    | 'account-process.js'
    | 'deletion-process.js'
    | 'factor-process.js'
    | 'passkey-process.js'
    | 'password-process.js'
}

export async function startProcess(
  t: Test,
  { address, kind = 'transactional', strategy, module = 'password-process.js' }: ProcessOptions
): Promise<ApplicationProcess> {
  const file = join(import.meta.dirname, module)
  // Recovery codes are hashed with little work in the long run too: they are many, and their cost is not tested here.
  const env = module === 'factor-process.js' ? { ...process.env, POSTERN_LONG: '0' } : process.env
  const child = fork(file, [address, kind, strategy, origin], { execArgv: [], stdio: 'inherit', env })
  t.teardown(() => child.kill('SIGKILL'))
  const port = await waitForMessage(child, (message) => message['port'])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const held: Promise<boolean>[] = []
  // The notice of an earlier change may arrive late.
  const find = (pattern: RegExp): Promise<string> =>
    waitForMessage(child, ({ text }) => pattern.exec(String(text))?.[1])
  return {
    port: Number(port),
    nextToken: () => find(/token=([\w-]{43})/),
    nextCode: () => find(/^([B-Z]{8})$/m),
    nextSignInLink: () => find(/(https:\S+\/callback\/email\S+)/),
    hold: async (send, at) => {
      const isHeld = waitForMessage(child, (message) => message['isHeld'])
      const response = send({ 'x-hold-at': String(at) })
      held.push(
        response.then(
          () => false,
          () => true
        )
      )
      const answered = response.then(({ status }) => Promise.reject(new Error(`expected no response, got ${status}`)))
      answered.catch(() => undefined)
      await Promise.race([isHeld, answered])
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
      return Promise.all(held)
    },
    send: async ({ method, url, headers, body = null }) => {
      const init = { method, headers: { ...headers, connection: 'close' }, body, redirect: 'manual' } as const
      const response = await fetch(`http://127.0.0.1:${port}${url}`, init)
      const fields = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
      return { status: response.status, headers: fields, body: await response.text() }
    }
  }
}
