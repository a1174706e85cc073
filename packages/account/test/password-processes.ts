import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Send } from '@postern/testkit'
import { origin } from './password-application.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

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
}

/** A message of the process, or its end. */
const next = (child: ChildProcess): Promise<Readonly<Record<string, unknown>>> =>
  new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the process ended too early')))
    child.once('message', (message) => resolve(message as Readonly<Record<string, unknown>>))
  })

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
  const { port } = await next(child)
  const find = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      // The notice of an earlier change may arrive late.
      const [, found] = pattern.exec(String((await next(child))['text'])) ?? []
      if (found !== undefined) return found
    }
  }
  return {
    port: Number(port),
    nextToken: () => find(/token=([\w-]{43})/),
    nextCode: () => find(/^([B-Z]{8})$/m),
    nextSignInLink: () => find(/(https:\S+\/callback\/email\S+)/),
    send: async ({ method, url, headers, body = null }) => {
      const init = { method, headers: { ...headers, connection: 'close' }, body, redirect: 'manual' } as const
      const response = await fetch(`http://127.0.0.1:${port}${url}`, init)
      const fields = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
      return { status: response.status, headers: fields, body: await response.text() }
    }
  }
}
