import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { memoryAdapter } from '@postern/adapters/memory'
import type { RateLimiter, RateRule } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import t, { type Test } from 'tap'
import { type CountingStore, limiterOn } from '../src/index.ts'
import { memoryLimiter } from '../src/limiter.ts'
import { openRedis, redisPort, withoutServer } from './databases.ts'
import { fromAfar, getSession, origin, people, type Started, signInAtIssuer, start } from './start.ts'
import { browserAt } from './visitor.ts'

const wrong = { username: 'ada', password: 'wrong' }
const right = { username: 'ada', password: 'lovelace' }
const form = '/api/auth/callback/credentials'

/** A browser at this address that has a page of Postern open. */
async function visitorAt({ app, clock }: Pick<Started, 'app' | 'clock'>, address: string): Promise<Browser> {
  const visitor = browserAt(app, clock, address)
  await visitor.open('/api/auth/csrf')
  return visitor
}

/** The number of attempts that were checked; the others got 429. */
async function looked(
  count: number,
  attempt: (index: number) => Promise<{ readonly status: number }>
): Promise<number> {
  const results = await Promise.all(Array.from({ length: count }, (_, index) => attempt(index)))
  return results.filter(({ status }) => status !== 429).length
}

/** A limit of a username that fewer guesses exceed than the default; the long run has the default. */
const maxFailures = isLong ? 100 : 20
const perUsername = { credentialsPerIdentifier: { points: maxFailures, seconds: 3600 } }

/** A separate client for each number. */
const getAddress = (index: number): string => `8.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

t.test('limit-1: wrong credentials: ten for one name from one client, a hundred for one name', async (t) => {
  const { app, clock } = await start(t)
  const one = await visitorAt({ app, clock }, '8.8.8.8')
  t.equal(await looked(30, () => one.submit(form, wrong)), 10)
  t.equal((await one.submit(form, { ...wrong, username: 'grace' })).status, 302, 'another name is another limit')
  t.equal(
    await looked(times(100, 200), (index) => browserAt(app, clock, getAddress(index)).submit(form, wrong)),
    90,
    'a hundred in all'
  )
})

t.test('the cookie of a known device is written once a day, and for another username', async (t) => {
  const { app, clock } = await start(t, { instances: 1 })
  const ada = await visitorAt({ app, clock }, '8.8.8.8')
  const isWritten = async (fields: typeof right): Promise<boolean> => {
    const before = ada.cookies.get('__Secure-postern.device')
    t.equal((await ada.submit(form, fields)).location, origin)
    return ada.cookies.get('__Secure-postern.device') !== before
  }
  t.same([await isWritten(right), await isWritten(right)], [true, false])
  clock.advance(24 * 60 * 60)
  t.same([await isWritten(right), await isWritten(right)], [true, false])
  t.equal(await isWritten({ username: 'grace', password: 'lovelace' }), true, 'another user')
  t.same([await isWritten(right), await isWritten(right)], [true, false], 'who has signed in last is first')
})

t.test('limit-1: mails: five to one address, twenty by one client', async (t) => {
  const { app, clock, mailbox } = await start(t)
  const mail = '/api/auth/signin/email'
  t.equal(
    await looked(times(9, 20), (index) =>
      browserAt(app, clock, getAddress(index)).submit(mail, { email: 'ada@example.com' })
    ),
    5
  )
  const one = await visitorAt({ app, clock }, '9.9.9.9')
  t.equal(await looked(times(24, 40), (index) => one.submit(mail, { email: `p${index}@example.com` })), 20)
  t.equal(mailbox.mails.length, 25)
})

t.test('limit-1: callbacks and codes: sixty a minute by one client', async (t) => {
  const { app, clock } = await start(t)
  const one = browserAt(app, clock, '8.8.8.8')
  const paths = ['callback/email?token=a&email=ada@example.com', 'callback/demo?code=a&state=b']
  t.equal(await looked(times(66, 100), (index) => one.open(`/api/auth/${paths[index % 2]}`)), 60)
  t.equal((await browserAt(app, clock, '8.8.8.9').open(`/api/auth/${paths[0]}`)).status, 302, 'others are not held up')
  t.equal((await one.request('HEAD', `/api/auth/${paths[0]}`)).status, 200, 'HEAD is not counted')
})

t.test('the counted requests, by rule', async (t) => {
  const counted: [key: string, rule: RateRule][] = []
  const limiter: RateLimiter = {
    consume: async (key, rule) => {
      counted.push([key, rule])
      return 0
    },
    refund: async (key, rule) => void counted.push([`back ${key}`, rule])
  }
  const { app, clock, mailbox } = await start(t, { rateLimit: { limiter } })
  const one = browserAt(app, clock, '2001:db8:1:2:3:4:5:6')
  await one.submit(form, right)
  await one.submit('/api/auth/signin/email', { email: 'Ada@Example.com' })
  await one.submit('/api/auth/callback/email', { code: mailbox.last().code })
  const client = '2001:db8:1:2::/64'
  const networks = (name: (network: string) => string, points: number, seconds: number): typeof counted => [
    [name(client), { points, seconds }],
    [name('2001:db8:1:0::/56'), { points: points * 4, seconds }],
    [name('2001:db8:1::/48'), { points: points * 16, seconds }]
  ]
  const callback = networks((network) => `callback ${network}`, 60, 60)
  t.same(counted, [
    ...callback,
    ...networks((network) => `credentials ada by ${network}`, 10, 900),
    ...networks((network) => `credentials of all by ${network}`, 100, 3600),
    ['credentials ada', { points: 100, seconds: 3600 }],
    ...networks((network) => `back credentials ada by ${network}`, 10, 900),
    ...networks((network) => `back credentials of all by ${network}`, 100, 3600),
    ['back credentials ada', { points: 100, seconds: 3600 }],
    ...networks((network) => `mail by ${network}`, 20, 3600),
    ['mail to ada@example.com', { points: 5, seconds: 900 }],
    ...callback
  ])
})

t.test('behind an unconfigured proxy, a private address represents many clients', async (t) => {
  const { app, clock, log } = await start(t, { instances: 1 })
  const mail = '/api/auth/signin/email'
  const many = times(22, 30)
  for (const address of ['10.0.0.1', '::ffff:192.168.1.1', 'fd00::1']) {
    const one = await visitorAt({ app, clock }, address)
    const headers = { 'x-forwarded-for': '1.2.3.4' }
    t.equal(
      await looked(many, (index) => one.submit(mail, { email: `${address.length}-${index}@example.com` }, { headers })),
      many
    )
  }
  t.equal(log.filter((line) => line.includes('trustProxy is off')).length, 1, 'and one warning')
})

t.test('with trustProxy: true, clients that write no address are one client', async (t) => {
  const { app, clock } = await start(t, { server: { trustProxy: true } })
  const visitor = await visitorAt({ app, clock }, '8.8.8.8')
  const guess = (index: number) => visitor.submit(form, wrong, { headers: { 'x-forwarded-for': `client-${index}` } })
  t.equal(await looked(15, guess), 10)
})

t.test('beyond a limit: 429, Retry-After, and a page with the waiting time', async (t) => {
  const { app, clock } = await start(t)
  const one = browserAt(app, clock, '8.8.8.8')
  for (let count = 0; count < 10; count++) await one.submit(form, wrong)
  const page = await one.submit(form, wrong)
  t.equal(page.status, 429)
  const seconds = Number(page.headers['retry-after'])
  t.ok(seconds > 800 && seconds <= 900, `again in ${seconds} s`)
  t.match(page.html().querySelector('h1')?.text, /\w/)
  t.match(page.html().text, /15 minutes/)
  t.match(page.html().text, 'Or sign in another way now.')
  t.ok(page.html().querySelector('form[action*="/signin/"]'), 'with the ways that are left')
  const response = await one.submit(form, { ...wrong, json: 'true' })
  t.equal(response.status, 429)
  t.match(response.headers['retry-after'], /^\d+$/)
  t.match(response.json<{ url: string }>().url, /error=RateLimited/)
})

t.test('limit-2: guessing does not lock the owner out: the link and the provider still work', async (t) => {
  const started = await start(t, {
    adapter: memoryAdapter(),
    rateLimit: perUsername
  })
  const { app, clock, mailbox } = started
  const owner = browserAt(app, clock, '7.7.7.7')
  await looked(isLong ? times(101, 300) : maxFailures + 1, (index) =>
    browserAt(app, clock, getAddress(index)).submit(form, wrong)
  )
  t.equal((await owner.submit(form, right)).status, 429, 'the form is closed for this name')
  await owner.submit('/api/auth/signin/email', { email: 'ada@example.com' })
  await owner.open(mailbox.last().url, { headers: fromAfar })
  t.match(await getSession(owner), { user: { email: 'ada@example.com' } }, 'the link works')
  const other = browserAt(app, clock, '7.7.7.8')
  await signInAtIssuer(started, other, { sub: 'ada-at-demo', email: 'other@example.com' })
  t.match(await getSession(other), { user: { email: 'other@example.com' } }, 'the provider works')
  t.equal(
    (await browserAt(app, clock, '7.7.7.9').submit(form, { username: 'grace', password: 'lovelace' })).location,
    origin,
    'other names work'
  )
})

t.test('right credentials are not counted, and a session that is there is never asked', async (t) => {
  const { app, clock } = await start(t)
  const one = browserAt(app, clock, '8.8.8.8')
  for (let count = 0; count < times(12, 25); count++) t.equal((await one.submit(form, right)).location, origin)
  await looked(times(13, 30), () => browserAt(app, clock, '8.8.8.8').submit(form, wrong))
  t.match(await getSession(one), { user: { name: 'ada' } })
})

t.test('a username is the same in every spelling, and forms without a username do not share one limit', async (t) => {
  const { app, clock } = await start(t)
  const one = await visitorAt({ app, clock }, '8.8.8.8')
  const spellings = ['ada', 'ADA', ' ada ', '\uff41da', 'ad\uff41\u3000', `${' '.repeat(300)}ada`]
  t.equal(await looked(24, (index) => one.submit(form, { ...wrong, username: spellings[index % 6] ?? '' })), 10)
  const authorize = (given: { readonly password: string }) => (given.password === 'lovelace' ? { id: '1' } : null)
  const bare = { id: 'credentials', name: 'Credentials', type: 'credentials', authorize } as const
  const plain = await start(t, { providers: [bare], session: { strategy: 'jwt' }, rateLimit: perUsername })
  const many = isLong ? 150 : maxFailures + 10
  t.equal(
    await looked(many, (index) =>
      browserAt(plain.app, plain.clock, getAddress(index)).submit(form, { password: 'wrong' })
    ),
    many
  )
  t.equal(
    await looked(many, (index) => browserAt(plain.app, plain.clock, getAddress(index)).submit(form, wrong)),
    maxFailures,
    'a name that is there counts'
  )
  const owner = browserAt(plain.app, plain.clock, '7.7.7.7')
  t.equal((await owner.submit(form, { username: 'grace', password: 'lovelace' })).location, origin)
})

t.test('limit-4: a form that describes no fields is counted by every name that it carries', async (t) => {
  const authorize = ({ email, password }: { readonly email: string; readonly password: string }) =>
    password === 'lovelace' ? { id: email } : null
  const bare = { id: 'credentials', name: 'Credentials', type: 'credentials', authorize } as const
  const { app, clock } = await start(t, { providers: [bare], session: { strategy: 'jwt' } })
  const guesser = await visitorAt({ app, clock }, '6.6.6.6')
  const guess = (index: number) =>
    guesser.submit(form, { username: `a user ${index}`, email: 'ada@example.com', password: `guess ${index}` })
  t.equal(await looked(30, guess), 10, 'a random second field does not bypass the limit')
  const owner = await visitorAt({ app, clock }, '7.7.7.7')
  const own = { username: 'ada', email: 'ada@example.com', password: 'lovelace' }
  for (let count = 0; count < 15; count++) t.equal((await owner.submit(form, own)).location, origin)
})

t.test('rateLimit: false switches the limits off, and an unset limiter does not', async (t) => {
  const off = await start(t, { rateLimit: false })
  const many = times(104, 200)
  t.equal(await looked(many, () => browserAt(off.app, off.clock, '8.8.8.8').submit(form, wrong)), many)
  const on = await start(t, {
    rateLimit: { limiter: undefined, credentialsPerIdentifierAndClient: { points: 3, seconds: 60 } }
  })
  t.equal(await looked(20, () => browserAt(on.app, on.clock, '8.8.8.8').submit(form, wrong)), 3)
})

t.test('a refund never raises a limit, even if its window has ended', async (t) => {
  const limiter = memoryLimiter()
  const rule = { points: 3, seconds: 60 }
  await Promise.all(Array.from({ length: 5 }, () => limiter.refund('ada', rule)))
  t.equal(await allowed(5, limiter, rule), 3, 'refunds for a window that has ended')
  await limiter.refund('ada', rule)
  await limiter.refund('ada', rule)
  await limiter.refund('ada', rule)
  t.equal(await allowed(5, limiter, rule), 1, 'five were counted, of which three were given back')
})

/** How many of so many attempts a limiter allows. */
async function allowed(count: number, limiter: RateLimiter, rule: RateRule): Promise<number> {
  const waits = await Promise.all(Array.from({ length: count }, () => limiter.consume('ada', rule)))
  return waits.filter((wait) => wait === 0).length
}

/** Two instances of one application, each with its own limiter. */
async function two(t: Test, limiter: () => RateLimiter, timeout: number = 250): Promise<readonly [Started, Started]> {
  const adapter = memoryAdapter()
  const options = { adapter, instances: 1, providers: [people], constants: { limiterTimeoutMilliseconds: timeout } }
  return [
    await start(t, { ...options, rateLimit: { limiter: limiter() } }),
    await start(t, { ...options, rateLimit: { limiter: limiter() } })
  ]
}

/** Tries through both instances at once, in turns. */
function throughBoth([first, second]: readonly [Started, Started], count: number): Promise<number> {
  return looked(count, (index) => {
    const { app, clock } = index % 2 === 0 ? first : second
    return browserAt(app, clock, '8.8.8.8').submit(form, wrong)
  })
}

const tries = times(60, 200)

t.test('two instances with one store: of many tries at once exactly ten are looked at', async (t) => {
  const stores = new Map<string, CountingStore>()
  const shared = () =>
    limiterOn((settings) => {
      const store = stores.get(settings.keyPrefix) ?? new RateLimiterMemory(settings)
      stores.set(settings.keyPrefix, store)
      return store
    })
  t.equal(await throughBoth(await two(t, shared), tries), 10)
})

const withoutRedis = await withoutServer('Redis', redisPort)

t.test('two instances with Redis', { skip: withoutRedis }, async (t) => {
  const { redis, prefix } = openRedis(t)
  const onRedis = (): RateLimiter =>
    limiterOn(
      (settings) => new RateLimiterRedis({ storeClient: redis, ...settings, keyPrefix: prefix + settings.keyPrefix })
    )
  // A busy machine is not an outage of the store.
  const instances = await two(t, onRedis, 10_000)
  t.equal(await throughBoth(instances, tries), 10, 'of many tries at once exactly ten are looked at')
  const keys = await redis.keys(`${prefix}*`)
  t.ok(keys.length >= 2)
  // A random prefix, or a hash, may have these letters within it.
  const clear = /(?<![\w-])(?:ada|8\.8\.8\.8)(?![\w-])/
  t.ok(clear.test('fails:ada') && clear.test('8.8.8.8:ada@example.com'))
  t.notOk(
    keys.some((key) => clear.test(key.slice(prefix.length))),
    'the store contains no username and no address'
  )
  const [first] = instances
  for (let count = 0; count < 20; count++) {
    const visitor = browserAt(first.app, first.clock, '8.8.8.9')
    const response = await visitor.submit(form, { username: 'grace', password: 'lovelace' })
    if (response.location !== origin) t.fail(`right credentials, ${count + 1} times: ${response.status}`)
  }
})

async function startProcess(t: Test, prefix: string): Promise<string> {
  const script = join(import.meta.dirname, 'limits-instance.js')
  const child = fork(script, [`redis://127.0.0.1:${redisPort}`, prefix], { execArgv: [], stdio: 'inherit' })
  t.teardown(() => child.kill())
  const [port] = await once(child, 'message')
  return `http://127.0.0.1:${port}`
}

t.test(
  'two processes with Redis: of many tries at once exactly ten are looked at',
  { skip: withoutRedis },
  async (t) => {
    const { prefix } = openRedis(t)
    const processes = await Promise.all([startProcess(t, prefix), startProcess(t, prefix)])
    const csrf = await fetch(`${processes[0]}/api/auth/csrf`)
    const cookie = csrf.headers.getSetCookie().map((text) => text.split(';')[0])
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const attempt = (index: number): Promise<Response> =>
      fetch(`${processes[index % 2]}${form}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: cookie.join('; ') },
        body: new URLSearchParams({ ...wrong, csrfToken })
      })
    t.equal(await looked(tries, attempt), 10)
    t.same([await looked(4, attempt), await looked(4, (index) => attempt(index + 1))], [0, 0], 'and none by either')
  }
)

const failures: Readonly<Record<string, () => Promise<never>>> = {
  'does not respond': () => new Promise<never>(() => undefined),
  'cannot be reached': async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' })
  },
  'is read-only': async () => {
    throw new Error("READONLY You can't write against a read only replica.")
  }
}

for (const [title, fail] of Object.entries(failures)) {
  t.test(
    `limit-1: a store that ${title}: a stricter limit of each process, a line in the log, no full stop`,
    async (t) => {
      const down = { is: true }
      const healthy = new Map<string, RateLimiterMemory>()
      const broken = (): RateLimiter =>
        limiterOn((settings) => {
          const store = healthy.get(settings.keyPrefix) ?? new RateLimiterMemory(settings)
          healthy.set(settings.keyPrefix, store)
          return {
            consume: async (key) => (down.is ? fail() : store.consume(key)),
            reward: async (key) => (down.is ? fail() : store.reward(key))
          }
        })
      const instances = await two(t, broken)
      const startedAt = performance.now()
      const allowed = await throughBoth(instances, times(40, 100))
      const took = performance.now() - startedAt
      t.ok(allowed >= 1 && allowed < 10, `${allowed} tries were looked at, of ten that the store would allow`)
      t.ok(took < 5000, `took ${Math.round(took)} ms`)
      for (const { app, clock, log } of instances) {
        t.equal(log.filter((line) => line.includes('RATE_LIMITER_DOWN')).length, 1, 'returned once')
        t.equal(
          (await browserAt(app, clock, '8.8.8.9').submit(form, { username: 'grace', password: 'lovelace' })).location,
          origin,
          'others sign in'
        )
      }
    }
  )
}

t.test('once the store is back it counts again', async (t) => {
  let isDown = true
  const store = new RateLimiterMemory({ keyPrefix: 'x', points: 10, duration: 900 })
  const limiter = limiterOn(() => ({
    consume: async (key) => (isDown ? Promise.reject(new Error('down')) : store.consume(key)),
    reward: async (key) => store.reward(key)
  }))
  const real = Date.now
  t.teardown(() => {
    Date.now = real
  })
  const { app, clock, log } = await start(t, { rateLimit: { limiter }, instances: 1 })
  const one = (): Browser => browserAt(app, clock, '8.8.8.8')
  await one().submit(form, wrong)
  isDown = false
  await one().submit(form, wrong)
  t.equal((await store.get('x'))?.consumedPoints ?? 0, 0, 'it is not called again immediately')
  const later = real() + 1500
  Date.now = () => later
  await one().submit(form, wrong)
  t.equal(log.filter((line) => line.includes('RATE_LIMITER_BACK')).length, 1)
})
