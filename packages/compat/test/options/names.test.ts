import { createPostern } from '@postern/core'
import github from 'next-auth/providers/github'
import t from 'tap'
import { createLog, origin, secret } from '../postern.ts'

const start = (options: object) => (): unknown =>
  createPostern({ url: origin, secret, providers: [], logger: createLog().logger, ...options })

const expectedDifference: readonly (readonly [given: object, message: RegExp])[] = [
  [{ sesion: {} }, /^- sesion: unknown option; did you mean session\?$/m],
  [{ Providers: [] }, /^- Providers: unknown option; did you mean providers\?$/m],
  [{ session: { stratgy: 'jwt' } }, /^- session\.stratgy: unknown option; did you mean session\.strategy\?$/m],
  [{ session: { maxage: 5 } }, /^- session\.maxage: unknown option; did you mean session\.maxAge\?$/m],
  [{ callbacks: { signin: () => true } }, /did you mean callbacks\.signIn\?/],
  [{ events: { signout: () => true } }, /did you mean events\.signOut\?/],
  [{ pages: { signin: '/login' } }, /did you mean pages\.signIn\?/],
  [{ cookies: { sessionTokens: {} } }, /did you mean cookies\.sessionToken\?/],
  [{ theme: { brandcolour: '#fff' } }, /did you mean theme\.brandColor\?/],
  [{ jwt: { encrypt: () => 'x' } }, /^- jwt\.encrypt: unknown option/m],
  [{ nothingLikeIt: 1 }, /^- nothingLikeIt: unknown option$/m]
]

for (const [given, message] of expectedDifference)
  t.test(JSON.stringify(given), async (t) => void t.throws(start(given), message))

const wrong: readonly (readonly [given: object, message: RegExp])[] = [
  [{ providers: {} }, /^- providers: expected a list, got an object$/m],
  [{ secret: 42 }, /^- secret: expected a string or a list of strings, got a number$/m],
  [{ session: 'jwt' }, /^- session: expected an object, got a string$/m],
  [{ session: { strategy: 'cookie' } }, /^- session\.strategy: expected "jwt" or "database", got another string$/m],
  [{ session: { maxAge: '30d' } }, /^- session\.maxAge: expected a number of seconds above 0, got a string$/m],
  [{ session: { maxAge: 0 } }, /^- session\.maxAge: expected a number of seconds above 0, got 0$/m],
  [
    { session: { generateSessionToken: 'uuid' } },
    /^- session\.generateSessionToken: expected a function, got a string$/m
  ],
  [{ jwt: { encode: 'x' } }, /^- jwt\.encode: expected a function/m],
  [{ pages: { signIn: () => '/x' } }, /^- pages\.signIn: expected a string, got a function$/m],
  [{ callbacks: { jwt: {} } }, /^- callbacks\.jwt: expected a function, got an object$/m],
  [{ events: [] }, /^- events: expected an object, got a list of 0$/m],
  [{ adapter: 'sqlite' }, /^- adapter: expected an object, got a string$/m],
  [{ debug: 'yes' }, /^- debug: expected true or false, got a string$/m],
  [{ logger: { error: console } }, /^- logger\.error: expected a function, got an object$/m],
  [{ theme: { colorScheme: 'purple' } }, /^- theme\.colorScheme: expected "auto" or "dark" or "light"/m],
  [{ useSecureCookies: 1 }, /^- useSecureCookies: expected true or false, got a number$/m],
  [
    { cookies: { state: { options: { sameSite: 1 } } } },
    /^- cookies\.state\.options\.sameSite: expected "lax" or "strict" or "none" or true or false/m
  ],
  [
    { cookies: { state: { name: '__Host-state', options: { secure: true, path: '/x' } } } },
    /^- cookies\.state: the prefix __Host- needs/m
  ],
  [{ skipCSRFCheck: true }, /^- skipCSRFCheck: the CSRF token is always checked/m],
  [
    { session: { strategy: 'database' } },
    /^- adapter: expected an adapter, got nothing: session\.strategy 'database' stores sessions in it; pass one, such as .*$/m
  ]
]

for (const [given, message] of wrong) t.test(JSON.stringify(given), async (t) => void t.throws(start(given), message))

t.test('every error is reported at once', async (t) => {
  const providers = [
    github.default({ clientId: '', clientSecret: 'x' }),
    { id: 'a b', name: 'A', type: 'oauth' as const }
  ]
  t.throws(start({ sesion: {}, providers, pages: { singIn: '/x' } }), {
    code: 'POSTERN_CONFIG',
    problems: [
      { option: 'sesion' },
      { option: 'pages.singIn' },
      { option: 'providers.github.clientId' },
      { option: 'providers[1].id' },
      { option: 'providers[1].issuer' },
      { option: 'providers[1].clientId' }
    ]
  })
})

t.test('options that only a factory knows are its own affair; what looks like one of Postern is not', async (t) => {
  const provider = (options: object) => ({
    id: 'x',
    name: 'X',
    type: 'oidc' as const,
    issuer: origin,
    options: { clientId: 'c', clientSecret: 's', ...options }
  })
  t.doesNotThrow(start({ providers: [provider({ somethingOfTheFactory: true })] }))
  t.throws(
    start({ providers: [provider({ isuer: origin })] }),
    /providers\.x\.isuer: unknown option; did you mean providers\.x\.issuer\?/
  )
  t.throws(
    start({ providers: [{ ...provider({}), somethingOfNobody: true }] }),
    /providers\.x\.somethingOfNobody: unknown option/
  )
})

t.test('a factory instead of a provider, as Auth.js takes it', async (t) => {
  const { default: google } = await import('@auth/core/providers/google')
  const environment = { AUTH_GOOGLE_ID: 'client', AUTH_GOOGLE_SECRET: 'secret' }
  t.doesNotThrow(() =>
    createPostern({ url: origin, secret, providers: [google], logger: createLog().logger }, environment)
  )
  const failing = (): never => {
    throw new Error('options, please')
  }
  t.throws(
    start({ providers: [failing] }),
    /providers\[0\]: expected a provider, got a function that returns none without options/
  )
})
