import t from 'tap'
import { AccountError, ConfigError, createPostern, type PosternOptions } from '../../src/index.ts'
import email from '../../src/providers/email.ts'

const user = { id: '1', name: null, email: 'ada@example.com', emailVerified: new Date(0), image: null }
const account = { userId: '1', type: 'oauth', provider: 'hub', providerAccountId: 'ada' }

/** An adapter with one user, who has one account, and without the tokens of sign-ins by email. */
const adapter = {
  ...Object.fromEntries(['createUser', 'updateUser', 'linkAccount'].map((name) => [name, async () => user])),
  getUser: async () => user,
  getUserByEmail: async () => user,
  getUserByAccount: async () => user,
  getAccounts: async () => [account],
  unlinkAccount: async () => account
}

/** A feature whose users prove a mailbox. `admitsMailboxOwner` says whether stored users can come in by it. */
const feature = (admitsMailboxOwner: boolean | undefined) => ({
  id: 'mailed',
  setup: () => ({
    signInMethods: [
      {
        ...{ id: 'mailed', name: 'Mailed', type: 'email', accountPolicy: 'mailbox' as const, admitsMailboxOwner },
        verify: () => ({ kind: 'identity' as const, providerAccountId: '', user: {} })
      }
    ]
  })
})

const open = (options: Partial<PosternOptions>) =>
  createPostern({
    ...{ url: 'https://app.test', secret: 'a secret of the tests, 32 characters or more', providers: [], adapter },
    ...{ session: { strategy: 'jwt', revocations: false }, logger: { warn: () => undefined } },
    ...options
  })

const problemOf = (options: Partial<PosternOptions>): string | null => {
  try {
    open(options)
    return null
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

t.test('a sign-up that proves the mailbox is no way in for a stored user: the last account stays', async (t) => {
  const hub = { id: 'hub', name: 'Hub', type: 'oauth', clientId: 'a', clientSecret: 'b', assumeFresh: true } as const
  const at = { authorization: 'https://hub.test/a', token: 'https://hub.test/t', userinfo: 'https://hub.test/u' }
  const unlink = async (admits: boolean | undefined): Promise<string> => {
    const auth = open({ providers: [feature(admits), { ...hub, ...at, profile: ({ sub }) => ({ id: String(sub) }) }] })
    t.teardown(auth.close)
    const done = auth.unlink('1', { provider: 'hub', providerAccountId: 'ada' }, { sessions: 'keep' })
    return done.then(
      () => 'removed',
      (error: unknown) => (error instanceof AccountError ? error.code : String(error))
    )
  }
  t.equal(await unlink(false), 'LAST_WAY_IN')
  t.equal(await unlink(true), 'removed')
  t.equal(await unlink(undefined), 'removed', 'by default, the user with the address signs in')
})

t.test('only email providers store tokens in the adapter', async (t) => {
  t.equal(problemOf({ providers: [feature(false)] }), null)
  const mails = email({ server: 'smtp://mail.test', from: 'mail@app.test' })
  t.match(problemOf({ providers: [mails] }), /createVerificationToken, useVerificationToken/)
})

t.test('users sign up with a proven mailbox where an address is concealed', async (t) => {
  const mailer = email({ server: 'smtp://mail.test', from: 'mail@app.test' })
  t.match(problemOf({ linking: { concealUsers: true }, mailer }), /expected a provider for email/)
  t.equal(problemOf({ providers: [feature(false)], linking: { concealUsers: true }, mailer }), null)
})

t.test('no mailed link has a host that the client chose', async (t) => {
  t.match(problemOf({ url: undefined, trustHost: true, providers: [feature(false)] }), /TRUST_HOST|trustHost/)
})

t.test('the mailer sends every mail: a sender of sign-in links is refused', async (t) => {
  const from = 'mail@app.test'
  const sendVerificationRequest = () => undefined
  for (const more of [{}, { server: 'smtp://mail.test' }])
    t.match(
      problemOf({ mailer: email({ from, sendVerificationRequest, ...more }) }),
      /mailer\.sendVerificationRequest: expected a sender of every mail, .* pass deliver/
    )
  t.equal(problemOf({ mailer: email({ from, deliver: async () => undefined, apiKey: 'key' }) }), null)
})

t.test('what sends mails is looked for at startup, if a mail server is configured', async (t) => {
  const start = async (options: Partial<PosternOptions>): Promise<unknown[]> => {
    const errors: unknown[] = []
    const loadMailer = () => Promise.reject(new TypeError('install nodemailer'))
    const error = (...line: readonly unknown[]): void => void errors.push(line)
    const auth = open({ runtime: { loadMailer }, logger: { warn: () => undefined, error }, ...options })
    await auth.close()
    return errors
  }
  const from = 'mail@app.test'
  const server = 'smtp://mail.test'
  const tokens = { createVerificationToken: async () => null, useVerificationToken: async () => null }
  const stored = { adapter: { ...adapter, ...tokens } }
  const missing = [['MAILER_MISSING', { message: 'install nodemailer' }]]
  t.match(await start({ mailer: email({ server, from }) }), missing)
  t.match(await start({ providers: [email({ server, from })], ...stored }), missing)
  t.same(await start({}), [])
  t.same(await start({ mailer: email({ from, deliver: async () => undefined, apiKey: 'key' }) }), [])
  t.same(await start({ providers: [email({ from, sendVerificationRequest: () => undefined })], ...stored }), [])
})
