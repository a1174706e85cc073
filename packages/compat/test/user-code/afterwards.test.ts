import { memoryAdapter } from '@postern/adapters/memory'
import type { Token } from '@postern/core/jwt'
import t from 'tap'
import { origin, patience } from '../postern.ts'
import { startTestSite, type TestOptions } from '../ways.ts'
import { answering, type Fault, failures, formatLog, someFaults } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience }
/** Callbacks that run each time a session is read. */
const reading = [
  { name: 'jwt', strategy: 'jwt', invalid: [undefined, 'text', 42, []] },
  { name: 'session', strategy: 'jwt', invalid: [undefined, 'text', 42, []] },
  { name: 'session', strategy: 'database', invalid: [undefined, 'text', 42, []] }
] as const

for (const { one, fault } of someFaults(reading, ({ name, strategy }) => `${name} ${strategy}`)) {
  const { name, strategy } = one
  t.test(`${strategy}: callbacks.${name} ${fault.title} when a session is read: no one, and no sign-out`, async (t) => {
    let isCorrupted = false
    const overrides: TestOptions = {
      callbacks: {
        [name]: (question: { token: never; session: never }): unknown =>
          isCorrupted ? fault.call() : name === 'jwt' ? question.token : question.session
      }
    }
    const site = await startTestSite(t, {
      adapter: memoryAdapter(),
      session: { strategy },
      constants,
      ...overrides
    })
    const browser = site.browser()
    await site.byIssuer(browser)
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
    isCorrupted = true
    t.same(await browser.json('/api/auth/session'), {})
    t.same(await browser.json('/who'), { session: null })
    t.ok(formatLog(site.log).includes(`callbacks.${name}`), formatLog(site.log))
    isCorrupted = false
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } }, 'the session is there again')
  })
}

for (const fault of [...failures, ...[null, undefined, 42, {}, 'http://[', 'javascript:alert(1)'].map(answering)]) {
  t.test(`callbacks.redirect ${fault.title}: the visitor goes to Postern’s origin`, async (t) => {
    const callbacks = { redirect: Object(fault.call) }
    const site = await startTestSite(t, { callbacks, constants })
    const browser = site.browser()
    const response = await browser.submit('/api/auth/callback/people', { callbackUrl: '/somewhere' })
    t.equal(response.location, origin)
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } }, 'signed in anyway')
    const line = site.log.find(({ code }) => code === 'REDIRECT_CALLBACK_ERROR')
    t.match(String(line?.metadata), /callbacks\.redirect/)
  })
}

const decoding: readonly Fault[] = [
  ...failures.filter(({ title }) => title !== 'never answers'),
  ...[null, 'text', 42].map(answering)
]

for (const fault of decoding) {
  t.test(`jwt.decode ${fault.title}: nobody`, async (t) => {
    let isCorrupted = false
    const open = new Map<string, unknown>()
    const jwt = {
      encode: ({ token }: { token?: unknown }) => {
        open.set('key', token)
        return 'key'
      },
      decode: Object(({ token = '' }: { token?: string }) => (isCorrupted ? fault.call() : open.get(token)))
    }
    const site = await startTestSite(t, { jwt, constants })
    const browser = site.browser()
    await site.byForm(browser)
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
    isCorrupted = true
    t.same(await browser.json('/api/auth/session'), {})
  })
}

t.test('jwt.decode that never answers is an error, and signs no one out', async (t) => {
  let isCorrupted = false
  const jwt = {
    encode: () => 'key',
    decode: (): Promise<Token> =>
      isCorrupted ? new Promise(() => undefined) : Promise.resolve({ sub: 'ada', name: 'Ada' })
  }
  const site = await startTestSite(t, { jwt, constants })
  const browser = site.browser()
  await site.byForm(browser)
  isCorrupted = true
  const response = await browser.request('GET', '/api/auth/session', { headers: { accept: 'application/json' } })
  t.ok(response.status >= 400 || response.location?.includes('error='), `${response.status} ${response.location}`)
  t.match(formatLog(site.log), /jwt\.decode did not respond/)
  isCorrupted = false
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
})
