import { createPostern, type PosternOptions } from '@postern/core'
import { decode } from '@postern/core/jwt'
import { createBrowser, fromFetch } from '@postern/testkit'
import t from 'tap'
import { createLog } from '../postern.ts'

const long = (name: string): string => `${name} of the tests, 32 characters or more`
const form = { id: 'people', name: 'People', type: 'credentials' as const, authorize: () => ({ id: '1', name: 'Ada' }) }

type Environment = Readonly<Record<string, string>>

const started = (environment: Environment, options: Partial<PosternOptions> = {}) =>
  createPostern({ providers: [form], logger: createLog().logger, ...options }, environment)

/** The addresses that the application gives itself. */
async function getAddress(environment: Environment, at: string): Promise<unknown> {
  const auth = started({ NEXTAUTH_SECRET: long('a'), ...environment })
  const response = await auth.fetch(new Request(`${at}${auth.basePath}/providers`))
  return response.status === 200 ? Object(await response.json()).people.signinUrl : response.status
}

t.test('NEXTAUTH_URL', async (t) => {
  const at = (url: string): Promise<unknown> => getAddress({ NEXTAUTH_URL: url }, 'http://inside.test:3000')
  t.equal(await at('https://app.test'), 'https://app.test/api/auth/signin/people')
  t.equal(await at('https://app.test/'), 'https://app.test/api/auth/signin/people', 'the path / is ignored')
  t.equal(
    await at('https://app.test/house/auth/'),
    'https://app.test/house/auth/signin/people',
    'a path is the base path'
  )
  t.equal(await at('app.test'), 'https://app.test/api/auth/signin/people', 'without a scheme it is https')
  t.equal(
    await getAddress({ NEXTAUTH_URL: 'https://v4.test', AUTH_URL: 'https://app.test' }, 'http://x.test'),
    'https://app.test/api/auth/signin/people'
  )
})

t.test('AUTH_TRUST_HOST', async (t) => {
  t.equal(await getAddress({ AUTH_TRUST_HOST: '1' }, 'https://any.test'), 'https://any.test/api/auth/signin/people')
  t.equal(await getAddress({}, 'https://any.test'), 400, 'without it a host is not believed')
  t.equal(
    await getAddress({}, 'http://localhost:3000'),
    'http://localhost:3000/api/auth/signin/people',
    'but for this machine'
  )
})

t.test('NEXTAUTH_SECRET, AUTH_SECRET, jwt.secret and secret, the nearest first', async (t) => {
  const environment = { NEXTAUTH_SECRET: long('next'), AUTH_SECRET: long('auth') }
  const cases: readonly (readonly [Environment, Partial<PosternOptions>, string])[] = [
    [{ AUTH_SECRET: long('auth') }, {}, long('auth')],
    [environment, {}, long('next')],
    [environment, { jwt: { secret: long('jwt') } }, long('jwt')],
    [environment, { secret: long('own'), jwt: { secret: long('jwt') } }, long('jwt')],
    [environment, { secret: long('own') }, long('own')],
    [environment, { secret: '' }, long('next')]
  ]
  for (const [given, options, secret] of cases) {
    const auth = started(given, { url: 'https://app.test', ...options })
    const browser = createBrowser({ origin: 'https://app.test', send: fromFetch(auth.fetch) })
    await browser.submit('/api/auth/callback/people', {})
    const token = browser.cookies.get('__Secure-next-auth.session-token') ?? ''
    t.match(await decode({ token, secret }), { sub: '1' })
  }
})

t.test('NODE_ENV=production wants an address and a long secret', async (t) => {
  const production = { NODE_ENV: 'production' }
  t.throws(
    () => started(production),
    /- url: expected the address of the application.*\n- secret: expected a secret, got nothing/
  )
  t.throws(
    () => started({ ...production, NEXTAUTH_URL: 'https://app.test', NEXTAUTH_SECRET: 'short' }),
    /- secret: expected at least 32 characters, got 5/
  )
  t.doesNotThrow(() => started({ ...production, NEXTAUTH_URL: 'https://app.test' }, { jwt: { secret: long('jwt') } }))
})

t.test('AUTH_<PROVIDER>_ID, _SECRET and _ISSUER', async (t) => {
  const environment = {
    AUTH_MY_HOUSE_ID: 'client',
    AUTH_MY_HOUSE_SECRET: 'secret',
    AUTH_MY_HOUSE_ISSUER: 'https://issuer.test'
  }
  const provider = { id: 'my-house', name: 'House', type: 'oidc' as const }
  const options = { url: 'https://app.test', secret: long('a'), providers: [provider] }
  t.doesNotThrow(() => started(environment, options))
  t.throws(() => started({}, options), /AUTH_MY_HOUSE_ID/)
})
