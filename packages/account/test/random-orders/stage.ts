import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { memoryAdapter } from '@postern/adapters/memory'
import { mysqlAdapter } from '@postern/adapters/mysql'
import { postgresAdapter } from '@postern/adapters/postgres'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import type { Adapter, Postern } from '@postern/core'
import {
  type Clock,
  type CuttableRoute,
  createClock,
  createIssuer,
  createMailbox,
  fromFetch,
  type Issuer,
  type Mailbox,
  newProxy,
  type Send,
  waitForMessage
} from '@postern/testkit'
import { listen } from '@postern/testkit/hostile'
import type { Test } from 'tap'
import { countCheapHashes } from '../cheap-hashes.ts'
import { withMysql, withoutServer, withPostgres } from '../databases.ts'
import type { Strategy } from '../password-application.ts'
import { type Client, createApplication } from './application.ts'

/** Where requests go: two instances in this process, or a process that can be killed. */
export type Route = 'one' | 'other' | 'child'

export interface Child {
  readonly send: Send
  readonly kill: () => Promise<unknown>
  /** Resolves if a request is held before its write of the number that it states. */
  readonly nextHeld: () => Promise<unknown>
}

export interface Stage {
  readonly auth: Readonly<Record<Exclude<Route, 'child'>, Postern>>
  /** Beside the applications. */
  readonly adapter: Adapter
  readonly clock: Clock
  readonly mailbox: Mailbox
  readonly issuer: Issuer
  readonly send: (route: Route) => Send
  /** The connections of the other instance; `null` if the store has none. */
  readonly proxy: CuttableRoute | null
  /** The connections of the child. */
  readonly childProxy: CuttableRoute | null
  /** Starts the process, unless it runs; `null` if the store is in memory. */
  readonly child: (() => Promise<Child>) | null
}

interface Store {
  readonly name: string
  readonly skip: string | false
  readonly open: (t: Test) => Promise<OpenStore>
}

interface OpenStore {
  readonly one: Adapter
  readonly other: Adapter
  readonly proxy: CuttableRoute | null
  readonly childProxy: CuttableRoute | null
  /** Where the child finds it; `null` if it cannot. */
  readonly address: string | null
}

/** Two adapters of a server: the second one through connections that can be cut, as the child. */
async function openServer(t: Test, url: string, create: (url: string) => Adapter): Promise<OpenStore> {
  const port = Number(new URL(url).port)
  const through = async (): Promise<readonly [CuttableRoute, string]> => {
    const proxy = await newProxy(t, port)
    await proxy.up()
    return [proxy, url.replace(`:${port}`, `:${proxy.port}`)]
  }
  const [[proxy, otherUrl], [childProxy, address]] = [await through(), await through()]
  const [one, other] = [create(url), create(otherUrl)]
  t.teardown(() => Promise.all([one.close?.(), other.close?.()]))
  return { one, other, proxy, childProxy, address }
}

const max = 4

export const stores: readonly Store[] = [
  {
    ...{ name: 'memory', skip: false },
    open: async () => {
      const adapter = memoryAdapter()
      return { one: adapter, other: adapter, proxy: null, childProxy: null, address: null }
    }
  },
  {
    ...{ name: 'SQLite', skip: false },
    open: async (t) => {
      const file = join(t.testdir(), 'store.sqlite')
      const [one, other] = [sqliteAdapter({ file }), sqliteAdapter({ file })]
      t.teardown(() => Promise.all([one.close?.(), other.close?.()]))
      return { one, other, proxy: null, childProxy: null, address: file }
    }
  },
  {
    ...{ name: 'PostgreSQL', skip: await withoutServer('PostgreSQL', 5432) },
    open: async (t) => openServer(t, await withPostgres(t), (url) => postgresAdapter({ url, max }))
  },
  {
    ...{ name: 'MariaDB', skip: await withoutServer('MariaDB', 3306) },
    open: async (t) => openServer(t, await withMysql(t), (url) => mysqlAdapter({ url, max }))
  }
]

interface ChildSetup {
  readonly address: string
  readonly strategy: Strategy
  readonly client: Client
  readonly clock: Clock
  readonly mailbox: Mailbox
}

async function startChild({ address, strategy, client, clock, mailbox }: ChildSetup): Promise<Child> {
  const args = [address, strategy, JSON.stringify(client)]
  const child: ChildProcess = fork(join(import.meta.dirname, 'random-order-process.js'), args, { execArgv: [] })
  const ended = once(child, 'exit')
  child.on('message', ({ mail }: { readonly mail?: Parameters<Mailbox['sendMail']>[1] }) => {
    if (mail) void mailbox.sendMail(null, mail)
  })
  const port = Number(await waitForMessage(child, (message) => message['port']))
  return {
    send: async ({ method, url, headers, body = null }) => {
      const init = { method, headers: { ...headers, connection: 'close', 'x-now': String(clock.now()) }, body }
      const response = await fetch(`http://127.0.0.1:${port}${url}`, { ...init, redirect: 'manual' })
      const fields = { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() }
      return { status: response.status, headers: fields, body: await response.text() }
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    nextHeld: () => waitForMessage(child, (message) => message['isHeld'])
  }
}

/** Two instances on one store, and a process that starts when it is needed. */
export async function openStage(t: Test, { open }: Store, strategy: Strategy): Promise<Stage> {
  countCheapHashes(() => undefined)
  const { one, other, proxy, childProxy, address } = await open(t)
  const [clock, mailbox, server] = [createClock(), createMailbox(), await listen()]
  t.teardown(server.close)
  const issuer = createIssuer({ clock, issuer: server.origin })
  server.serve(issuer.fetch)
  const runtime = {
    now: clock.now,
    sendMail: mailbox.sendMail,
    fetch: (url: string, init?: RequestInit) => issuer.fetch(url, init)
  }
  const client = { issuer: issuer.issuer, clientId: issuer.clientId, clientSecret: issuer.clientSecret }
  const create = (adapter: Adapter): Postern => createApplication({ adapter, strategy, client, runtime })
  const auth = { one: create(one), other: create(other) }
  t.teardown(() => Promise.all([auth.one.close(), auth.other.close()]))
  let running: Promise<Child> | null = null
  t.teardown(async () => (await running)?.kill())
  const start = (): Promise<Child> => {
    running ??= startChild({ address: address ?? '', strategy, client, clock, mailbox }).then((child) => ({
      ...child,
      kill: () => {
        running = null
        return child.kill()
      }
    }))
    return running
  }
  const senders = { one: fromFetch(auth.one.fetch), other: fromFetch(auth.other.fetch) }
  return {
    ...{ auth, adapter: one, clock, mailbox, issuer, proxy, childProxy },
    send: (route) => (route === 'child' ? async (request) => (await start()).send(request) : senders[route]),
    child: address === null ? null : start
  }
}
