import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Send } from '@postern/testkit'
import { origin } from './password-application.ts'

interface Test {
  teardown(work: () => unknown): unknown
}

/** A process with the application of `password-process.ts`. */
export interface ApplicationProcess {
  readonly send: Send
  /** The token of the link in the next mail that has one. Ask before it is sent. */
  readonly nextToken: () => Promise<string>
}

/** A message of the process, or its end. */
const next = (child: ChildProcess): Promise<Readonly<Record<string, unknown>>> =>
  new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the process ended too early')))
    child.once('message', (message) => resolve(message as Readonly<Record<string, unknown>>))
  })

/** @param address - The file of SQLite, or the URL of a server. */
export async function startProcess(
  t: Test,
  { address, kind = 'transactional', strategy }: { address: string; kind?: string; strategy: string }
): Promise<ApplicationProcess> {
  const file = join(import.meta.dirname, 'password-process.js')
  const child = fork(file, [address, kind, strategy, origin], { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const { port } = await next(child)
  return {
    nextToken: async () => {
      for (;;) {
        // The notice of an earlier change may arrive late.
        const [, token] = /token=([\w-]{43})/.exec(String((await next(child))['text'])) ?? []
        if (token !== undefined) return token
      }
    },
    send: async ({ method, url, headers, body = null }) => {
      const init = { method, headers: { ...headers, connection: 'close' }, body, redirect: 'manual' } as const
      const response = await fetch(`http://127.0.0.1:${port}${url}`, init)
      const fields = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
      return { status: response.status, headers: fields, body: await response.text() }
    }
  }
}
