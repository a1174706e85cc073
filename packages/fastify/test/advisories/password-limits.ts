import type { CredentialInput } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import type { Browser } from '@postern/testkit'
import { isLong, times } from '@postern/testkit/long'
import type { Test } from 'tap'
import { origin, type Started, start } from '../start.ts'
import { browserAt } from '../visitor.ts'
import type { Replay } from './replay.ts'

type Fields = Readonly<Record<string, string>>

interface Form {
  readonly app: Started
  /** The usernames that `authorize` was called with. */
  readonly checked: string[]
  /** Posts the form from an address, with a fresh browser unless one is given. */
  readonly post: (fields: Fields | string, address?: string, type?: string) => Promise<number>
}

interface FormOptions {
  readonly identifier?: string
  readonly normalizeIdentifier?: (value: string) => string
}

const form = '/api/auth/callback/credentials'
const json = 'application/json'
const password: CredentialInput = { label: 'Password', type: 'password' }

/** The limit of a username, and of a client: the default in the long run, less in `npm test`. The limits' own tests have the defaults. */
const maxFailures = isLong ? 100 : 22

/** As many requests as exceed it. */
const more = isLong ? times(105, 200) : maxFailures + 3

/** A separate client for each number. */
const getAddress = (index: number): string => `8.7.${(index >> 8) & 255}.${index & 255}`

/** An application with one form. The limit of callbacks is out of the way, so that only the password limits decide. */
async function formWith(
  t: Test,
  fields: Readonly<Record<string, CredentialInput>>,
  options: FormOptions = {}
): Promise<Form> {
  const checked: string[] = []
  const provider = credentials({
    credentials: fields,
    authorize: (given: Fields) => {
      const name = given['username'] || given['email'] || ''
      checked.push(name)
      return given['password'] === 'lovelace' ? { id: `id-${name}`, name } : null
    },
    ...options
  })
  const rateLimit = {
    callbackPerClient: { points: 100_000, seconds: 60 },
    credentialsPerIdentifier: { points: maxFailures, seconds: 3600 },
    credentialsPerClient: { points: maxFailures, seconds: 3600 }
  }
  const app = await start(t, { providers: [provider], rateLimit, session: { strategy: 'jwt' }, instances: 1 })
  const browsers = new Map<string, { browser: Browser; csrfToken: string }>()
  const open = async (address: string) => {
    const browser = browserAt(app.app, app.clock, address)
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const opened = { browser, csrfToken }
    browsers.set(address, opened)
    return opened
  }
  const post: Form['post'] = async (given, address = '8.8.8.8', type) => {
    const { browser, csrfToken } = browsers.get(address) ?? (await open(address))
    if (typeof given !== 'string') {
      const { status, location } = await browser.submit(form, { ...given, csrfToken })
      // Signing in renews the token.
      if (!location?.includes('error=')) browsers.delete(address)
      return status
    }
    const body = type === json ? given.replace('{', `{"csrfToken":"${csrfToken}",`) : `csrfToken=${csrfToken}&${given}`
    return (await browser.post(form, body, type ? { 'content-type': type } : {})).status
  }
  return { app, checked, post }
}

/** A form whose username is not its first field, and what the attacker writes into that field. */
const decoys: readonly (readonly [title: string, fields: Readonly<Record<string, CredentialInput>>])[] = [
  ['a hidden field', { decoy: { type: 'hidden' }, username: { type: 'text' } }],
  ['a hidden field with autocomplete', { decoy: { type: 'hidden', autocomplete: 'username' }, username: {} }],
  ['a checkbox', { decoy: { type: 'checkbox' }, username: {} }],
  ['a radio button', { decoy: { type: 'Radio' }, username: {} }],
  ['a number', { decoy: { type: 'number' }, username: {} }],
  ['a password in a text input', { decoy: { autocomplete: 'section-a current-password' }, username: {} }],
  ['a one-time code', { decoy: { type: 'text', autocomplete: 'one-time-code' }, username: {} }],
  ['a tenant', { decoy: { label: 'Company' }, username: { autocomplete: 'username' } }],
  ['a tenant, a list of tokens', { decoy: {}, username: { autocomplete: 'section-a USERNAME webauthn' } }],
  ['a tenant, in React', { decoy: {}, username: { autoComplete: 'email', type: 'email' } }],
  ['a tenant, without autocomplete', { decoy: { label: 'Company' }, username: { label: 'Name' } }]
]

export const passwordLimits: readonly Replay[] = [
  [
    'P4a',
    'another field precedes the username',
    async (t) => {
      for (const [index, [title, fields]] of decoys.entries()) {
        const one = await formWith(t, { ...fields, password })
        for (let count = 0; count < times(12, 600); count++)
          await one.post({ decoy: `decoy ${count}`, username: 'ada', password: `wrong ${count}` })
        t.equal(one.checked.length, 10, `${title}: ten from one client`)
        if (!isLong && index > 0) continue
        const many = await formWith(t, { ...fields, password })
        for (let count = 0; count < more; count++)
          await many.post({ decoy: `decoy ${count}`, username: 'ada', password: 'wrong' }, getAddress(count))
        t.equal(many.checked.length, maxFailures, `${title}: ${maxFailures} from many clients`)
      }
    }
  ],
  [
    'P4b',
    'the form has custom field names, and `identifier` names the username',
    async (t) => {
      const fields = { username: { label: 'Company' }, email: { label: 'Account', type: 'hidden' }, password }
      const many = await formWith(t, fields, { identifier: 'email' })
      for (let count = 0; count < more; count++)
        await many.post({ username: `${count}`, email: 'ada', password: 'wrong' }, getAddress(count))
      t.equal(many.checked.length, maxFailures)
      // next-auth's example form, and a page of the application that posts another field.
      const copied = await formWith(t, { username: {}, password })
      for (let count = 0; count < more; count++)
        await copied.post({ username: '', email: 'ada', password: 'wrong' }, getAddress(count))
      t.equal(copied.checked.length, maxFailures, 'an undeclared email is counted')
    }
  ],
  [
    'P4c',
    'one client tries few passwords on many accounts',
    async (t) => {
      const { checked, post } = await formWith(t, { username: {}, password })
      const accounts = isLong ? 70 : 20
      for (let round = 0; round < 4; round++)
        for (let account = 0; account < accounts; account++)
          await post({ username: `user${account}`, password: 'wrong' })
      t.equal(checked.length, maxFailures, `of ${4 * accounts} attempts on ${accounts} accounts`)
      t.equal(await post({ username: 'another', password: 'wrong' }), 429, 'a further account changes nothing')
      t.equal(await post({ username: 'user1', password: 'wrong' }, '8.8.4.4'), 302, 'other clients are not refused')
    }
  ],
  [
    'P4g',
    'a form has no username',
    async (t) => {
      const { checked, post } = await formWith(t, { remember: { type: 'checkbox' }, password })
      for (let count = 0; count < times(12, 100); count++)
        await post({ remember: `${count}`, password: `wrong ${count}` })
      t.equal(checked.length, 10, 'the client is counted')
      t.equal(await post({ password: 'wrong' }, '8.8.4.4'), 302)
      const more = await formWith(t, { remember: { type: 'checkbox' }, password })
      for (let count = 0; count < times(12, 100); count++)
        await more.post({ username: `user${count}`, password: 'wrong' })
      t.equal(more.checked.length, 10, 'and a username of chance is no way around that')
    }
  ],
  [
    'P4h',
    'normalizeIdentifier of the application fails',
    async (t) => {
      const failures: readonly ((value: string) => string)[] = [
        () => {
          throw new Error('not a phone number')
        },
        () => '',
        () => '\u3000 ',
        (value) => JSON.parse(`{"a":${JSON.stringify(value)}}`),
        () => JSON.parse('null'),
        (value) => Reflect.apply(async () => Promise.reject(new Error(value)), null, [])
      ]
      for (const [index, normalizeIdentifier] of failures.entries()) {
        const { checked, post, app } = await formWith(t, { username: {}, password }, { normalizeIdentifier })
        // In `npm test` one client, in the long run many.
        for (let count = 0; count < (isLong ? times(120, 150) : 12); count++)
          await post({ username: count % 2 === 0 ? 'ada' : 'ADA ', password: 'wrong' }, getAddress(isLong ? count : 0))
        t.equal(checked.length, isLong ? 100 : 10, `${index}: the default counts`)
        t.ok(
          app.log.some((line) => line.includes('NORMALIZE_IDENTIFIER_ERROR')),
          'and it is logged'
        )
      }
      const digits = (value: string): string => value.replaceAll(/\D/g, '')
      const { checked, post } = await formWith(
        t,
        { username: { type: 'tel' }, password },
        { normalizeIdentifier: digits }
      )
      for (const username of ['+49 30 123', '493-0123', '(49)30123'])
        for (let count = 0; count < 10; count++) await post({ username, password: 'wrong' })
      t.equal(checked.length, 10, 'one that works replaces the default')
    }
  ],
  [
    'P4i',
    'the limits keep the owner of a correct password out',
    async (t) => {
      const { app, post } = await formWith(t, { username: {}, password })
      for (let count = 0; count < more; count++) await post({ username: `user${count}`, password: 'wrong' }, '6.6.6.6')
      const owner = browserAt(app.app, app.clock, '7.7.7.7')
      t.equal((await owner.submit(form, { username: 'user1', password: 'lovelace' })).location, origin)
    }
  ],
  [
    'P4j',
    'an outage inside authorize counts as wrong passwords and locks the owner out',
    async (t) => {
      const system = (code: string): Error => Object.assign(new Error('no answer'), { code })
      const failures: Readonly<Record<string, () => Promise<never>>> = {
        'a refused connection': () => Promise.reject(system('ECONNREFUSED')),
        'a failed fetch': () => Promise.reject(new TypeError('fetch failed', { cause: system('UND_ERR_SOCKET') })),
        'an aborted fetch': () => Promise.reject(AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason),
        'a database that is shutting down': () => Promise.reject(system('57P01')),
        'a call that does not end': () => new Promise(() => undefined)
      }
      for (const [title, fail] of Object.entries(failures)) {
        let isDown = true
        const provider = credentials({
          credentials: { username: {}, password },
          authorize: async (given: Fields) => (isDown ? fail() : given['password'] === 'lovelace' ? { id: '1' } : null)
        })
        const app = await start(t, {
          providers: [provider],
          constants: { callbackTimeoutMilliseconds: 20 },
          session: { strategy: 'jwt' },
          instances: 1
        })
        const send = (secret: string) => app.newBrowser().submit(form, { username: 'ada', password: secret })
        for (let count = 0; count < (isLong ? times(11, 15) : title === 'a refused connection' ? 11 : 2); count++)
          t.equal((await send('lovelace')).status, 503, `${title}: reports it`)
        isDown = false
        t.equal((await send('lovelace')).location, origin, `${title}: the right password works afterwards`)
        for (let count = 0; count < 10; count++) await send('wrong')
        t.equal((await send('lovelace')).status, 429, `${title}: wrong ones still count`)
      }
    }
  ],
  [
    'P4k',
    'an application error for "wrong password" with a code is not an outage',
    async (t) => {
      const refuse = (): never => {
        throw Object.assign(new Error('wrong'), { code: 'auth/wrong-password' })
      }
      const provider = credentials({ credentials: { username: {}, password }, authorize: refuse })
      const app = await start(t, { providers: [provider], session: { strategy: 'jwt' }, instances: 1 })
      const send = () => app.newBrowser().submit(form, { username: 'ada', password: 'guess' })
      for (let count = 0; count < 10; count++) await send()
      t.equal((await send()).status, 429)
    }
  ]
]
