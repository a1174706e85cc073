// A Fastify application with five sign-in methods, and the services that it needs, on this machine.
//
//   npm start                 in the root of the repository
//   open http://localhost:3000
//
// Read it from top to bottom: settings, services, database. The application itself is in `app.ts`.

import { existsSync } from 'node:fs'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { gallery } from './gallery.ts'
import { loadMethods } from './last-provider.ts'
import { startIdentityProvider } from './services/identity-provider.ts'
import { inbox } from './services/inbox.ts'
import { explain } from './services/listening.ts'
import { startMailServer } from './services/mail-server.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The running demo. */
export interface Demo {
  readonly url: string
  readonly issuer: string
  readonly mailServer: string
  readonly close: () => Promise<void>
}

/** Starts the application and its two services. */
export async function startDemo(environment: Environment): Promise<Demo> {
  // 1. Settings: all have defaults, which `.env.example` lists.
  const port = Number(environment['PORT'] ?? 3000)
  const url = environment['AUTH_URL'] ?? `http://localhost:${port}`
  // A fixed secret keeps users signed in after a restart. Generate your own: openssl rand -hex 32
  const secret = environment['AUTH_SECRET'] ?? 'the secret of a demo that no one needs to trust'
  const client = { clientId: 'demo', clientSecret: environment['OIDC_SECRET'] ?? 'demo-secret' }

  // 2. Services: an OpenID Provider with three test users, and a mail server whose mails are shown at /inbox.
  const provider = await startIdentityProvider({
    port: Number(environment['OIDC_PORT'] ?? 3001),
    redirectUris: [`${url}/api/auth/callback/demo`],
    ...client
  })
  const mailServer = await startMailServer({ port: Number(environment['SMTP_PORT'] ?? 3025) })

  // 3. The application's own database, in which Postern creates its tables.
  const db = new Database(environment['DATABASE'] ?? 'demo.db')
  const methods = loadMethods(db)

  // 4. Sign-in and the application itself: `app.ts`.
  const app = await createApp({
    url,
    secret,
    adapter: sqliteAdapter({ db }),
    methods,
    session: environment['SESSION'] === 'jwt' ? 'jwt' : 'database',
    provider: { issuer: provider.issuer, ...client },
    mailServer: mailServer.url,
    logLevel: environment['LOG_LEVEL'] ?? 'warn'
  })
  await app.register(inbox, { mails: mailServer.mails })
  await app.register(gallery, { origin: url })

  const close = async (): Promise<void> => {
    await app.close()
    await Promise.all([provider.close(), mailServer.close()])
    db.close()
  }
  await listen(app, port, close)
  return { url, issuer: provider.issuer, mailServer: mailServer.url, close }
}

async function listen(app: FastifyInstance, port: number, close: () => Promise<void>): Promise<void> {
  try {
    await app.listen({ port })
  } catch (error) {
    await close()
    throw explain(error, { port, service: 'demo', variable: 'PORT' })
  }
}

function announce({ url, issuer, mailServer }: Demo): void {
  console.log(`
  Postern demo      ${url}
  Inbox             ${url}/inbox        every mail that is sent
  OpenID Provider   ${issuer}        users: ada, grace, alan (one click)
  Mail server       ${mailServer}
  Test users        ada / lovelace, grace / hopper
`)
}

if (import.meta.main) {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    const demo = await startDemo(process.env)
    announce(demo)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void demo.close().then(() => process.exit(0)))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
