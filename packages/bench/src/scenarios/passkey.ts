import { createAuthenticator } from '@postern/testkit/software-authenticator'
import { Connection } from '../load/connection.ts'
import type { Job } from '../load/drive.ts'
import { expectResponse, Visitor } from '../load/visitor.ts'
import { getLocalOrigin } from '../subjects/subject.ts'
import { expectSignedIn, getDialect, heldCsrfToken, signInByIssuer } from './dialect.ts'
import { asVisitor, type Site } from './site.ts'

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

/** A returning user signs in with a passkey: the options, and what an authenticator in software signs. */
export async function passkeySignIn(site: Site): Promise<Job> {
  const { add, signIn } = site.subject === 'better-auth-passkey' ? betterAuth : postern
  const authenticator = createAuthenticator({ origin: getLocalOrigin(site) })
  const cookies = await asVisitor(site, async (visitor) => {
    await getDialect(site).prepareOAuth(visitor)
    const before = visitor.cookies
    await signInByIssuer(site, visitor, visitor.connection)
    await add(visitor, authenticator)
    return before
  })
  const job = async (connection: Connection): Promise<void> => {
    const visitor = new Visitor(connection, site.origin, cookies)
    await signIn(visitor, authenticator)
    expectSignedIn(visitor)
  }
  const connection = await Connection.open(site.port)
  await job(connection)
  connection.close()
  return job
}
