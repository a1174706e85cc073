import { mistakesWith, production, secret, withoutMistake } from '@postern/testkit/mistakes'
import t from 'tap'
import type { PosternOptions } from '../../src/config/options.ts'
import { ConfigError, type Problem } from '../../src/errors/config-error.ts'
import { createPostern } from '../../src/postern.ts'
import credentials from '../../src/providers/credentials.ts'
import email from '../../src/providers/email.ts'
import github from '../../src/providers/github.ts'
import oidc from '../../src/providers/oidc.ts'

const form = credentials({ credentials: { name: {} }, authorize: () => null })
const hub = github({ clientId: 'a', clientSecret: 'b' })
const mail = email({ server: 'smtp://mail.test', from: 'a@app.test' })
const good = withoutMistake({ form })
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

/** Options as somebody without TypeScript writes them. */
function problemsOf(options: object, environment: Readonly<Record<string, string>> = {}): readonly Problem[] {
  try {
    createPostern({ logger: silent, ...good, ...options } as PosternOptions, environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const cases = mistakesWith({ hub, form, mail, github, email, oidc })

for (const { what, options, option, message, environment } of cases) {
  t.test(`${what}: ${option}`, async (t) => {
    const found = problemsOf(options, environment).filter((problem) => problem.option === option)
    t.equal(found.length, 1, 'told once')
    t.match(found[0]?.message, message)
  })
}

t.test('each message says what was expected, or what there is, and what to do', async (t) => {
  t.ok(cases.length >= 60, `${cases.length} mistakes`)
  for (const { what, options, option, environment } of cases) {
    const [{ message = '' } = {}] = problemsOf(options, environment).filter((problem) => problem.option === option)
    t.match(
      message,
      /expected .+|no such option|two .+ have|needs |not supported|does not go with|allowedOrigins/,
      what
    )
  }
})

t.test('every mistake is told at once, of whatever kind, and each once', async (t) => {
  const problems = problemsOf(
    {
      ...{
        url: 'ftp://app.test',
        secret: 'short',
        sesion: {},
        basePath: 'auth/',
        debug: 1,
        session: { strategy: 'redis' }
      },
      ...{ pages: { signIn: 'data:,' }, cookies: { state: { name: 'a b' } }, allowedOrigins: ['www'] },
      providers: [
        github(),
        github(),
        { id: 'a', name: 'A', type: 'saml' },
        mail,
        { id: 'form', name: 'Form', type: 'credentials' }
      ]
    },
    production
  )
  const options = problems.map(({ option }) => option)
  for (const option of [
    'url',
    'secret',
    'sesion',
    'basePath',
    'debug',
    'session.strategy',
    'pages.signIn',
    'cookies.state',
    'allowedOrigins',
    'providers.github',
    'providers.a.type',
    'providers.form.authorize',
    'adapter'
  ]) {
    t.equal(options.filter((name) => name === option).length, 1, option)
  }
  t.equal(options.filter((name) => name === 'providers.github.clientId').length, 2)
})

t.test('a message holds no secret and no value that was given', async (t) => {
  const problems = problemsOf(
    {
      secret: 'canary-1',
      url: 'canary-2',
      jwt: { secret: 'canary-3' },
      debug: 'canary-4',
      pages: { error: 'data:canary-5' },
      providers: [{ ...hub, options: { clientSecret: 7, clientId: { canary: 6 } } }]
    },
    production
  )
  t.ok(problems.length >= 6)
  t.notMatch(JSON.stringify(problems), /canary/)
})

t.test('options without a mistake, undefined ones and a short secret in development are taken', async (t) => {
  t.same(problemsOf({}), [])
  t.same(
    problemsOf(
      { providers: [hub, form], session: undefined, basePath: undefined, callbacks: { jwt: undefined } },
      production
    ),
    []
  )
  t.same(problemsOf({ secret: 'short' }), [])
  t.same(problemsOf({ secret: undefined }), [])
  t.same(problemsOf({ secret: [secret, 'short'] }, production), [], 'a secret that only reads may be short')
  t.same(problemsOf({ url: 'http://localhost:3000' }, production), [])
  t.same(problemsOf({ url: 'http://intranet.test', useSecureCookies: false }, production), [])
  t.same(problemsOf({ url: undefined, trustHost: ['app.test', '[::1]:3000', 'localhost:3000'] }, production), [])
  t.same(
    problemsOf({ pages: { signIn: '/login', error: 'https://www.app.test/oops', newUser: true, signOut: '' } }),
    []
  )
  t.same(problemsOf({ providers: [github] }, { AUTH_GITHUB_ID: 'a', AUTH_GITHUB_SECRET: 'b' }), [])
})

t.test('what is unwise but works is a warning', async (t) => {
  const warnings = (options: object, environment: Record<string, string>): readonly unknown[] => {
    const told: unknown[] = []
    const logger = { ...silent, warn: (code: string, text: unknown) => void told.push(`${code}: ${String(text)}`) }
    createPostern({ ...good, logger, ...options }, environment)
    return told
  }
  t.same(warnings({}, production), [])
  t.match(warnings({ secret: undefined }, {}), [
    /CONFIGURATION: no secret is set: sessions end when the server restarts/
  ])
  t.match(warnings({ secret: [secret, 'short'] }, production), [
    /a secret that is only read is shorter than 32 characters/
  ])
  t.match(warnings({ url: undefined, trustHost: true }, production), [/trustHost: true lets every request say/])
  t.same(warnings({ url: undefined, trustHost: true }, {}), [])
  const day = 86_400
  t.same(warnings({ session: { maxAge: 400 * day, updateAge: 400 * day, absoluteMaxAge: 800 * day } }, production), [])
  t.match(warnings({ session: { maxAge: 30 * day * 1000 } }, production), [
    /CONFIGURATION: session\.maxAge: expected at most 34560000 seconds .*, got 2592000000; divide by 1000/
  ])
  t.match(warnings({ session: { maxAge: 3600, updateAge: day } }, production), [
    /CONFIGURATION: session\.updateAge: expected at most the 3600 seconds of session\.maxAge, got 86400; .*lower updateAge/
  ])
  t.match(warnings({ session: { updateAge: day * 1000 } }, production), [/session\.updateAge: .*got 86400000/])
})

t.test('both secrets of the environment are read, next-auth’s first', async (t) => {
  const one = { NEXTAUTH_SECRET: 'n'.repeat(32), AUTH_SECRET: 'a'.repeat(32) }
  const secretsOf = (environment: Record<string, string>, given?: string | string[]): readonly string[] | undefined =>
    createPostern({ ...good, logger: silent, secret: given }, environment).configFor(good.url)?.secrets
  t.same(secretsOf(one), [one.NEXTAUTH_SECRET, one.AUTH_SECRET])
  t.same(secretsOf({ ...one, NEXTAUTH_SECRET: one.AUTH_SECRET }), [one.AUTH_SECRET])
  t.same(secretsOf(one, secret), [secret])
  t.same(secretsOf(one, [secret, 'old', '']), [secret, 'old'])
})

t.test('a logger may be more than one, as console is; what is misspelt in one is told', async (t) => {
  t.doesNotThrow(() => createPostern({ ...good, logger: console }))
  const misspelt: object = { logger: { eror: () => undefined } }
  t.throws(() => createPostern({ ...good, ...misspelt }), { message: /did you mean logger\.error\?/ })
})
