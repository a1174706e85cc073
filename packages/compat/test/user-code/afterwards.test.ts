import { memoryAdapter } from '@postern/adapters/memory'
import type { Token } from '@postern/core/jwt'
import t from 'tap'
import { origin, patience } from '../postern.ts'
import { startWays, type Wishes } from '../ways.ts'
import { answering, type Fault, failures, told } from './faults.ts'

const constants = { callbackTimeoutMilliseconds: patience }
/** Callbacks that are asked each time a session is read. */
const reading: readonly (readonly [name: string, strategy: 'jwt' | 'database', nonsense: readonly unknown[]])[] = [
  ['jwt', 'jwt', [undefined, 'text', 42, []]],
  ['session', 'jwt', [undefined, 'text', 42, []]],
  ['session', 'database', [undefined, 'text', 42, []]]
]

for (const [name, strategy, nonsense] of reading) {
  for (const fault of [...failures, ...nonsense.map(answering)]) {
    t.test(
      `${strategy}: callbacks.${name} ${fault.what} when a session is read: nobody, and no sign-out`,
      async (t) => {
        let isSpoiled = false
        const wishes: Wishes = {
          callbacks: {
            [name]: (question: { token: never; session: never }): unknown =>
              isSpoiled ? fault.call() : name === 'jwt' ? question.token : question.session
          }
        }
        const ways = await startWays(t, { adapter: memoryAdapter(), session: { strategy }, constants, ...wishes })
        const browser = ways.browser()
        await ways.byIssuer(browser)
        t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
        isSpoiled = true
        t.same(await browser.json('/api/auth/session'), {})
        t.same(await browser.json('/who'), { session: null })
        t.ok(told(ways.log).includes(`callbacks.${name}`), told(ways.log))
        isSpoiled = false
        t.match(
          await browser.json('/api/auth/session'),
          { user: { name: 'Ada Lovelace' } },
          'the session is there again'
        )
      }
    )
  }
}

t.test('null of callbacks.jwt and callbacks.session means nobody, and needs no line in the log', async (t) => {
  for (const name of ['jwt', 'session']) {
    let isOver = false
    const callback = (question: { token: never; session: never }): unknown =>
      isOver ? null : name === 'jwt' ? question.token : question.session
    const ways = await startWays(t, { callbacks: { [name]: callback } })
    const browser = ways.browser()
    await ways.byForm(browser)
    isOver = true
    t.same(await browser.json('/api/auth/session'), {})
    t.same(ways.log, [])
  }
})

for (const fault of [...failures, ...[null, undefined, 42, {}, 'http://[', 'javascript:alert(1)'].map(answering)]) {
  t.test(`callbacks.redirect ${fault.what}: the visitor goes to our own origin`, async (t) => {
    const callbacks = { redirect: Object(fault.call) }
    const ways = await startWays(t, { callbacks, constants })
    const browser = ways.browser()
    const answer = await browser.submit('/api/auth/callback/people', { callbackUrl: '/somewhere' })
    t.equal(answer.location, origin)
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } }, 'signed in all the same')
    const line = ways.log.find(({ code }) => code === 'REDIRECT_CALLBACK_ERROR')
    t.match(String(line?.metadata), /callbacks\.redirect/)
  })
}

const events = ['signIn', 'createUser', 'linkAccount', 'session', 'signOut', 'updateUser'] as const

for (const event of events) {
  for (const fault of failures) {
    t.test(`events.${event} ${fault.what}: nothing but a line in the log`, async (t) => {
      const listeners = { [event]: fault.call }
      const ways = await startWays(t, { adapter: memoryAdapter(), events: listeners, constants })
      const browser = ways.browser()
      for (const way of ['byMail', 'byMail', 'byIssuer'] as const) {
        t.equal((await ways[way](browser)).location, origin)
        t.match(await browser.json('/api/auth/session'), { user: { email: /ada@/ } })
        await browser.submit('/api/auth/signout', {})
        t.same(await browser.json('/api/auth/session'), {})
      }
      const code = `${event.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_EVENT_ERROR`
      t.ok(
        ways.log.some((line) => line.code === code),
        told(ways.log)
      )
    })
  }
}

const decoding: readonly Fault[] = [
  ...failures.filter(({ what }) => what !== 'never answers'),
  ...[null, 'text', 42].map(answering)
]

for (const fault of decoding) {
  t.test(`jwt.decode ${fault.what}: nobody`, async (t) => {
    let isSpoiled = false
    const open = new Map<string, unknown>()
    const jwt = {
      encode: ({ token }: { token?: unknown }) => {
        open.set('key', token)
        return 'key'
      },
      decode: Object(({ token = '' }: { token?: string }) => (isSpoiled ? fault.call() : open.get(token)))
    }
    const ways = await startWays(t, { jwt, constants })
    const browser = ways.browser()
    await ways.byForm(browser)
    t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
    isSpoiled = true
    t.same(await browser.json('/api/auth/session'), {})
  })
}

t.test('jwt.decode that never answers is an error, and signs nobody out', async (t) => {
  let isSpoiled = false
  const jwt = {
    encode: () => 'key',
    decode: (): Promise<Token> =>
      isSpoiled ? new Promise(() => undefined) : Promise.resolve({ sub: 'ada', name: 'Ada' })
  }
  const ways = await startWays(t, { jwt, constants })
  const browser = ways.browser()
  await ways.byForm(browser)
  isSpoiled = true
  const answer = await browser.request('GET', '/api/auth/session', { headers: { accept: 'application/json' } })
  t.ok(answer.status >= 400 || answer.location?.includes('error='), `${answer.status} ${answer.location}`)
  t.match(told(ways.log), /jwt\.decode did not answer/)
  isSpoiled = false
  t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada' } })
})
