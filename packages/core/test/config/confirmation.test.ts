import t from 'tap'
import { ConfigError, createPostern, type PosternOptions } from '../../src/index.ts'
import credentials from '../../src/providers/credentials.ts'
import email from '../../src/providers/email.ts'
import github from '../../src/providers/github.ts'
import oidc from '../../src/providers/oidc.ts'

const names = [
  ...['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'updateUser', 'linkAccount'],
  ...['createVerificationToken', 'useVerificationToken']
]
const adapter = (missing: readonly string[] = []) =>
  Object.fromEntries(names.filter((name) => !missing.includes(name)).map((name) => [name, async () => null]))

const client = { clientId: 'client', clientSecret: 'secret' }
const hub = github(client)
const work = { id: 'work', name: 'Work', issuer: 'https://login.example.com', ...client }
const mails = email({ server: 'smtp://mail.test', from: 'mail@app.test' })
const form = credentials({ credentials: { name: {} }, authorize: () => null })
const page = { id: 'page', needsRecentSignIn: true, setup: () => ({}) }

/** The message of the configuration error; `null` if the application starts. */
function refuse(options: Partial<PosternOptions>): string | null {
  try {
    createPostern({
      ...{ url: 'https://app.test', secret: 'a secret of the tests, 32 characters or more', providers: [] },
      ...{ session: { strategy: 'jwt' }, adapter: adapter(), features: [page], logger: { warn: () => undefined } },
      ...options
    })
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

t.test('a set of sign-in methods is refused if users of one can never confirm that it is them', async (t) => {
  const cannot = /which features\.page needs; with the sign-in methods github, credentials, users of github cannot/
  t.match(refuse({ providers: [hub, form] }), cannot)
  t.equal(refuse({ providers: [hub], features: [] }), null, 'nothing needs it')
  t.equal(refuse({ providers: [form] }), null, 'a form asks every time')
  t.equal(refuse({ providers: [github({ ...client, assumeFresh: true })] }), null)
  t.equal(refuse({ providers: [hub], mailer: mails }), null)
  t.equal(refuse({ providers: [hub, mails] }), null)
})

// RFC 7591 §2 (OpenID Connect Dynamic Client Registration §2): with `require_auth_time`, an ID Token without it is invalid.
t.test('users of an OpenID Provider confirm there if it must state when they authenticated', async (t) => {
  t.match(refuse({ providers: [oidc(work)] }), /users of work cannot/)
  t.equal(refuse({ providers: [oidc({ ...work, client: { require_auth_time: true } })] }), null)
  t.equal(refuse({ providers: [oidc({ ...work, requires: { maxAge: 3600 } })] }), null)
})

t.test('a mailed code needs an adapter that stores it', async (t) => {
  const missing = adapter(['useVerificationToken'])
  t.match(refuse({ providers: [hub], mailer: mails, adapter: missing }), /users of github cannot/)
})

t.test('no provider has the id of the mailed code', async (t) => {
  t.match(refuse({ providers: [{ ...oidc(work), id: 'mailed-code' }], mailer: mails }), /mailed-code/)
})
