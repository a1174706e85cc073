import resend from '@auth/core/providers/resend'
import { memoryAdapter } from '@postern/adapters/memory'
import { createPostern } from '@postern/core'
import nextAuthEmail from 'next-auth/providers/email'
import t, { type Test } from 'tap'
import { createLog, origin, secret, startPostern } from '../postern.ts'
import { type SignInMethods, startTestSite, type TestOptions } from '../ways.ts'

type Row = { readonly option: string } & (
  | { readonly works: (t: Test) => Promise<unknown> }
  | { readonly given: object; readonly message: RegExp }
)

/** Requests a mail, and returns the result. */
async function ask(t: Test, overrides: TestOptions, address: string = 'ada@mail.test') {
  const adapter = memoryAdapter()
  const site = await startTestSite(t, { adapter, ...overrides })
  const browser = site.browser()
  const response = await browser.submit('/api/auth/signin/email', { email: address })
  return { ...site, adapter, browser, reply: response }
}

const getLink = ({ mailbox }: Pick<SignInMethods, 'mailbox'>): URL => new URL(mailbox.last().url)

const rows: readonly Row[] = [
  {
    option: 'id, name, options',
    works: async (t) => {
      const site = await startTestSite(t, {
        adapter: memoryAdapter(),
        email: { name: 'Mail', options: { id: 'mine' } }
      })
      t.match(await site.browser().json('/api/auth/providers'), { mine: { id: 'mine', name: 'Mail', type: 'email' } })
    }
  },
  {
    option: 'server',
    works: async (t) => {
      for (const server of [
        'smtps://user:password@mail.test',
        { host: 'mail.test', port: 2525, auth: { user: 'u', pass: 'p' } }
      ]) {
        const { mailbox } = await ask(t, { email: { server } })
        t.same(mailbox.last().server, server)
      }
    }
  },
  {
    option: 'server (nothing)',
    given: { server: undefined },
    message: /server: expected the URL or the options of a mail server/
  },
  {
    option: 'from',
    works: async (t) => {
      t.equal(
        (await ask(t, { email: { from: 'Example <no-reply@app.test>' } })).mailbox.last().from,
        'Example <no-reply@app.test>'
      )
    }
  },
  { option: 'from (nothing)', given: { from: undefined }, message: /from: expected an email address, got nothing/ },
  {
    option: 'maxAge',
    works: async (t) => {
      let later = 0
      const runtime = { now: () => Date.now() + later * 1000 }
      for (const [seconds, location] of [
        [90, /^https:\/\/app\.test$/],
        [110, /error=Verification/]
      ] as const) {
        later = 0
        const { browser, mailbox } = await ask(t, { email: { maxAge: 100, confirm: 'never' }, runtime })
        later = seconds
        t.match((await browser.open(mailbox.last().url)).location, location)
      }
    }
  },
  { option: 'maxAge (more than a day)', given: { maxAge: 100_000 }, message: /maxAge: expected at most 86400 seconds/ },
  {
    option: 'sendVerificationRequest',
    works: async (t) => {
      const logged: unknown[] = []
      const sendVerificationRequest = async (request: unknown) => void logged.push(request)
      const options = { house: 'ours' }
      const { mailbox, reply: response } = await ask(t, {
        email: { sendVerificationRequest, options },
        theme: { brandColor: '#123456' }
      })
      t.equal(mailbox.mails.length, 0)
      t.equal(response.location, `${origin}/api/auth/verify-request?provider=email&type=email`)
      const link = new URL(Object(logged[0]).url)
      t.equal(link.origin + link.pathname, `${origin}/api/auth/callback/email`)
      t.same([...link.searchParams.keys()], ['callbackUrl', 'token', 'email'], 'in that order')
      t.match(logged, [
        {
          identifier: 'ada@mail.test',
          token: /^[0-9a-f]{64}$/,
          expires: Date,
          theme: { colorScheme: 'auto', logo: '', brandColor: '#123456', buttonText: '' },
          provider: {
            ...{
              id: 'email',
              type: 'email',
              name: 'Email',
              server: 'smtp://mail.test',
              from: 'a@app.test',
              house: 'ours'
            },
            ...{
              maxAge: 86_400,
              signinUrl: `${origin}/api/auth/signin/email`,
              callbackUrl: `${origin}/api/auth/callback/email`
            }
          }
        }
      ])
    }
  },
  {
    option: 'generateVerificationToken',
    works: async (t) => {
      const started = await ask(t, { email: { generateVerificationToken: async () => 'a token of Postern’s' } })
      t.equal(getLink(started).searchParams.get('token'), 'a token of Postern’s')
      t.equal((await started.browser.open(started.mailbox.last().url)).location, origin)
    }
  },
  {
    option: 'normalizeIdentifier',
    works: async (t) => {
      const normalizeIdentifier = (text: string): string => {
        if (!text.endsWith('@mail.test')) throw new Error('only ours')
        return text.replace(/\+.*@/, '@').toLowerCase()
      }
      const { mailbox } = await ask(t, { email: { normalizeIdentifier } }, 'Ada+shop@mail.test')
      t.equal(mailbox.last().to, 'ada@mail.test')
      t.match((await ask(t, { email: { normalizeIdentifier } }, 'ada@other.test')).reply.location, /error=EmailSignin/)
      t.equal((await ask(t, {}, ' ADA@Mail.test ')).mailbox.last().to, 'ada@mail.test', 'the default')
    }
  },
  {
    option: 'secret',
    given: { secret: 'x' },
    message: /providers\.email\.secret: omit it: tokens are hashed with a key/
  }
]

for (const row of rows) {
  t.test(`${row.option}${'message' in row ? ' is reported as invalid' : ''}`, async (t) => {
    if ('works' in row) return row.works(t)
    const provider = {
      id: 'email',
      name: 'Email',
      type: 'email' as const,
      server: 'smtp://mail.test',
      from: 'a@app.test',
      ...row.given
    }
    const options = { url: origin, secret, adapter: memoryAdapter(), providers: [provider], logger: createLog().logger }
    t.throws(() => createPostern(options), row.message)
    return undefined
  })
}

t.test('an email provider needs an adapter with its methods', async (t) => {
  const provider = {
    id: 'email',
    name: 'Email',
    type: 'email' as const,
    server: 'smtp://mail.test',
    from: 'a@app.test'
  }
  t.throws(
    () => createPostern({ url: origin, secret, providers: [provider] }),
    /adapter: expected an adapter, got nothing/
  )
  const { createVerificationToken: _, useVerificationToken: __, ...adapter } = memoryAdapter()
  t.throws(
    () => createPostern({ url: origin, secret, providers: [provider], adapter }),
    /adapter: expected these methods.*: createVerificationToken, useVerificationToken/
  )
})

t.test('the email provider of next-auth sends its own mail', async (t) => {
  const mails: Record<string, unknown>[] = []
  const server = {
    name: 'kept',
    version: '1',
    send: ({ data }: { data: Record<string, unknown> }, done: (error: null, sent: object) => void): void => {
      mails.push(data)
      done(null, { accepted: [data['to']], rejected: [], pending: [], envelope: {}, messageId: '1' })
    }
  }
  const provider = nextAuthEmail.default({ server: Object(server), from: 'Example <no-reply@app.test>' })
  const app = await startPostern(t, {
    adapter: memoryAdapter(),
    providers: [provider],
    theme: { brandColor: '#123456' }
  })
  const browser = app.browser()
  await browser.submit('/api/auth/signin/email', { email: 'ada@mail.test' })
  t.match(mails, [
    { to: 'ada@mail.test', from: 'Example <no-reply@app.test>', subject: 'Sign in to app.test', html: /#123456/ }
  ])
  const [link] = /https:\S+/.exec(String(mails[0]?.['text'])) ?? []
  t.equal((await browser.open(link ?? '')).location, origin)
  t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@mail.test' } })
})

t.test('an email sender of Auth.js calls its service', async (t) => {
  const calls: { readonly url: string; readonly init: RequestInit }[] = []
  t.intercept(globalThis, 'fetch', {
    value: async (url: string, init: RequestInit) => {
      calls.push({ url, init })
      return Response.json({})
    }
  })
  const provider = resend({ apiKey: 'key-of-ours', from: 'no-reply@app.test' })
  const app = await startPostern(t, { adapter: memoryAdapter(), providers: [provider] })
  await app.browser().submit('/api/auth/signin/resend', { email: 'ada@mail.test' })
  t.match(calls, [{ url: 'https://api.resend.com/emails', init: { headers: { Authorization: 'Bearer key-of-ours' } } }])
  t.match(JSON.parse(String(calls[0]?.init.body)), { to: 'ada@mail.test', from: 'no-reply@app.test' })
})
