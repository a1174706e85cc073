// Sign-in for a Fastify application, all three ways, with everything it needs on this machine.
//
//   npm start                 in the root of the repository
//   open http://localhost:3000
//
// Read it from top to bottom: settings, the services beside the application, the database. The application: `app.ts`.

import { existsSync } from 'node:fs'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import Database from 'better-sqlite3'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { gallery } from './gallery.ts'
import { startIdentityProvider } from './services/identity-provider.ts'
import { inbox } from './services/inbox.ts'
import { explain } from './services/listening.ts'
import { startMailServer } from './services/mail-server.ts'
import { openWays } from './last-provider.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What runs, and how to stop it. */
export interface Demo {
  readonly url: string
  readonly issuer: string
  readonly mailServer: string
  readonly close: () => Promise<void>
}

/** Starts the application and the two services that it signs in with. */
export async function startDemo(environment: Environment): Promise<Demo> {
  // 1. Settings: every one has a default, and `.env.example` lists them.
  const port = Number(environment['PORT'] ?? 3000)
  const url = environment['AUTH_URL'] ?? `http://localhost:${port}`
  // A secret of the demo's own keeps visitors signed in over restarts. Make yours: openssl rand -hex 32
  const secret = environment['AUTH_SECRET'] ?? 'the secret of a demo that nobody needs to trust'
  const client = { clientId: 'demo', clientSecret: environment['OIDC_SECRET'] ?? 'demo-secret' }

  // 2. The services. A real OpenID Provider with three test users, and a real mail server whose mails are at /inbox.
  const provider = await startIdentityProvider({
    port: Number(environment['OIDC_PORT'] ?? 3001),
    redirectUris: [`${url}/api/auth/callback/demo`],
    ...client
  })
  const mailServer = await startMailServer({ port: Number(environment['SMTP_PORT'] ?? 3025) })

  // 3. The database is the application's own; Postern makes its tables in it.
  const db = new Database(environment['DATABASE'] ?? 'demo.db')
  const ways = openWays(db)

  // 4. Sign-in and the application itself: `app.ts`.
  const app = await createApp({
    url,
    secret,
    adapter: sqliteAdapter({ db }),
    ways,
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

function tell({ url, issuer, mailServer }: Demo): void {
  console.log(`
  Postern demo      ${url}
  Inbox             ${url}/inbox        every mail that is sent
  OpenID Provider   ${issuer}        users: ada, grace, alan (one click)
  Mail server       ${mailServer}
  Password form     ada / lovelace, grace / hopper
`)
}

if (import.meta.main) {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    const demo = await startDemo(process.env)
    tell(demo)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void demo.close().then(() => process.exit(0)))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
