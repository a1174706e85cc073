import { randomUUID } from 'node:crypto'
import { createAuthenticator } from '@postern/testkit/software-authenticator'
import { Connection } from '../load/connection.ts'
import type { Job } from '../load/drive.ts'
import { expectResponse, Visitor } from '../load/visitor.ts'
import { getLocalOrigin } from '../subjects/subject.ts'
import { expectSignedIn, getDialect, heldCsrfToken } from './dialect.ts'
import { type Site, visitIssuer } from './site.ts'

type Authenticator = ReturnType<typeof createAuthenticator>

/** How passkeys are added, and used, at one library. */
interface Ceremonies {
  /** Adds a passkey of the signed-in user. */
  add(visitor: Visitor, authenticator: Authenticator): Promise<void>
  /** Loads the options, and sends what the authenticator signs. */
  signIn(visitor: Visitor, authenticator: Authenticator): Promise<void>
}

const postern: Ceremonies = {
  add: async (visitor, authenticator) => {
    expectResponse(await visitor.ask({ path: '/enter', json: {} }), 200, 'signed-in')
    await getDialect({ subject: 'postern-features' }).prepareOAuth(visitor)
    const { body } = expectResponse(await visitor.ask({ path: '/api/auth/passkeys' }), 200, 'name="options"')
    const [, value = ''] = /value="([^"]*)"/.exec(body.split('name="options"')[1] ?? '') ?? []
    const credential = authenticator.create(JSON.parse(value.replaceAll('&quot;', '"')))
    const form = { credential, csrfToken: heldCsrfToken(visitor) }
    expectResponse(await visitor.ask({ path: '/api/auth/passkeys', form }), 302)
  },
  signIn: async (visitor, authenticator) => {
    const { body } = expectResponse(await visitor.ask({ path: '/api/auth/passkey/options' }), 200, '"challenge"')
    const form = { credential: authenticator.get(JSON.parse(body)), csrfToken: heldCsrfToken(visitor) }
    expectResponse(await visitor.ask({ path: '/api/auth/callback/passkey', form }), 302)
  }
}

const betterAuth: Ceremonies = {
  add: async (visitor, authenticator) => {
    const path = '/api/auth/passkey/generate-register-options'
    const { body } = expectResponse(await visitor.ask({ path }), 200, '"challenge"')
    const json = { response: JSON.parse(authenticator.create(JSON.parse(body))) }
    expectResponse(await visitor.ask({ path: '/api/auth/passkey/verify-registration', json }), 200)
  },
  signIn: async (visitor, authenticator) => {
    const path = '/api/auth/passkey/generate-authenticate-options'
    const { body } = expectResponse(await visitor.ask({ path }), 200, '"challenge"')
    const json = { response: JSON.parse(authenticator.get(JSON.parse(body))) }
    expectResponse(await visitor.ask({ path: '/api/auth/passkey/verify-authentication', json }), 200, '"session"')
  }
}

/** A user with a passkey, and what their browser holds before a sign-in. */
interface Owner {
  readonly authenticator: Authenticator
  readonly cookies: Visitor['cookies']
}

/** Signs in at the provider as somebody new. */
async function signInAsNew(site: Site, visitor: Visitor): Promise<void> {
  const address = await getDialect(site).startOAuth(visitor)
  const back = await visitIssuer(site, visitor.connection, `${address}&login_hint=${randomUUID()}`)
  expectResponse(await visitor.ask({ path: back }), 302)
}

async function join(site: Site, visitor: Visitor, { add }: Ceremonies): Promise<Owner> {
  const authenticator = createAuthenticator({ origin: getLocalOrigin(site) })
  await getDialect(site).prepareOAuth(visitor)
  const { cookies } = visitor
  await signInAsNew(site, visitor)
  await add(visitor, authenticator)
  return { authenticator, cookies }
}

/**
 * A returning user signs in with a passkey: the options, and what an authenticator in software signs. Each visitor has a passkey, as
 * nobody signs in with one twice at once.
 */
export async function passkeySignIn(site: Site): Promise<Job> {
  const ceremonies = site.subject === 'better-auth-passkey' ? betterAuth : postern
  const owners: Owner[] = []
  const job = async (connection: Connection): Promise<void> => {
    const owner = owners.pop() ?? (await join(site, new Visitor(connection, site.origin), ceremonies))
    const visitor = new Visitor(connection, site.origin, owner.cookies)
    await ceremonies.signIn(visitor, owner.authenticator)
    expectSignedIn(visitor)
    owners.push(owner)
  }
  const connection = await Connection.open(site.port)
  await job(connection)
  connection.close()
  return job
}
