import { memoryAdapter } from '@postern/adapters/memory'
import { sqliteAdapter } from '@postern/adapters/sqlite'
import { SignInError } from '@postern/core'
import type { Feature } from '@postern/core/feature'
import credentials from '@postern/core/providers/credentials'
import type { Browser, BrowserResponse, Person } from '@postern/testkit'
import { inTurn, some } from '@postern/testkit/long'
import t from 'tap'
import { createTestGate } from '../interruption-feature.ts'
import { fromAfar, mails, openLinkPage, origin, type Started, signInByForm, signInByMail } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  accountsOf,
  address,
  begin,
  idIn,
  idOf,
  mallory,
  signIn,
  signUp,
  startAccounts,
  strategies,
  vera
} from './setup.ts'

/** In `npm test` a test has one strategy, the next one the other; in the long run each has both. */
const someStrategies = inTurn(strategies)

interface KeyFeatureApi {
  readonly enroll: (userId: string, id: string) => Promise<void>
}

declare module '@postern/core' {
  interface FeatureApis {
    readonly keys: KeyFeatureApi
  }
}

const isVerified = async ({ adapter }: Started, id: string): Promise<boolean> =>
  Boolean((await adapter?.getUser?.(id))?.emailVerified)

/** Values of `email_verified` that are not the boolean `true`. */
const unproved = [1, 0, 'TRUE', '1', 'yes', ' true', 'false', 'no', [], [true], ['true'], {}, { value: true }, null, '']

t.test('a provider states that an address is verified, but not by true: nothing counts it', async (t) => {
  const started = await startAccounts(t, { demo: { allowDangerousEmailAccountLinking: true } })
  await signInByMail(started, started.newBrowser(), address)
  for (const [index, email_verified] of unproved.entries()) {
    const label = JSON.stringify(email_verified)
    const thief = started.newBrowser()
    await signIn(started, thief, { ...vera, sub: `mallory-${index}`, email_verified })
    t.equal(await idIn(thief), null, `${label} joins nobody`)
    const sub = `new-${index}`
    await signIn(started, thief, { ...vera, sub, email: `${sub}@example.com`, email_verified })
    const id = (await idOf(started, sub)) ?? ''
    t.ok(id, label)
    t.notOk(await isVerified(started, id), `${label} verifies no new user`)
  }
})

t.test('userinfo and ID Token disagree about the address, or about its verification', async (t) => {
  for (const claims of [
    { email: address, email_verified: false },
    { email: 'mallory@evil.test', email_verified: true }
  ]) {
    const started = await startAccounts(t, { demo: { allowDangerousEmailAccountLinking: true } })
    await signInByMail(started, started.newBrowser(), address)
    // The ID Token decides: userinfo, which is not signed, adds nothing that the token has.
    started.issuer.faults.userinfo = () => Response.json({ ...vera, sub: 'mallory' })
    const thief = started.newBrowser()
    await signIn(started, thief, { ...mallory, ...claims })
    t.not(await idIn(thief), (await started.adapter?.getUserByEmail?.(address))?.id)
  }
})

/** Values of the claim `email` that are not the address of the owner, but may be compared or converted to it. */
const claimedAddresses: readonly unknown[] = [
  [address],
  { toString: () => address },
  { email: address },
  'vera\n@example.com',
  `${address}.`,
  `${address},mallory@evil.test`,
  `"${address}"`,
  `Vera <${address}>`,
  `${address}\u0000@evil.test`,
  'vera+x@example.com',
  'vera@example.com.evil.test',
  'vera@ex\u0430mple.com',
  'vera%40example.com',
  'mailto:vera@example.com',
  'vera@[example.com]',
  'v\u200bera@example.com',
  'VERA\u0307@example.com',
  'vera@example\u3002com'
]

t.test('email-3: a provider states a verified address that only looks like the one of the owner', async (t) => {
  const started = await startAccounts(t, {
    demo: { allowDangerousEmailAccountLinking: true, verifiesEmail: true }
  })
  const owner = started.newBrowser()
  await signInByMail(started, owner, address)
  const ownerId = (await idIn(owner)) ?? ''
  await started.app.postern.invite(ownerId, { expiresIn: 60 })
  for (const [index, email] of claimedAddresses.entries()) {
    const label = JSON.stringify(email)
    const thief = started.newBrowser()
    await signIn(started, thief, { ...mallory, sub: `mallory-${index}`, email })
    t.not(await idIn(thief), ownerId, label)
    t.same(await accountsOf(started, ownerId), [], `${label} links nothing`)
    t.equal(await idIn(owner), ownerId, `${label} ends nothing`)
  }
  await signIn(started, started.newBrowser(), vera)
  t.same(await accountsOf(started, ownerId), ['demo vera'], 'the address itself does')
})

/** What a visitor may type as an address. */
const typedAddresses = [
  'Vera@Example.com',
  ' vera@example.com\t',
  '\u3000vera@example.com\u00a0',
  '\uff56era@example.com',
  'vera+tag@example.com',
  'vera@example.com.',
  'vera@example.com\u200b',
  'v\u00e9ra@example.com',
  've\u0301ra@example.com',
  'vera@ex\u0430mple.com',
  'vera@example.com,mallory@evil.test',
  'vera@example.com mallory@evil.test',
  'vera@example.com\r\nBcc: mallory@evil.test',
  'vera@example.com\nmallory@evil.test',
  '"vera@example.com"@evil.test',
  '"vera"@example.com',
  'vera(mallory@evil.test)@example.com',
  'Vera <vera@example.com>',
  '<vera@example.com>',
  'vera@example.com@evil.test',
  'vera%40example.com@evil.test',
  'vera%example.com@evil.test',
  'evil.test!vera@example.com',
  'vera@[127.0.0.1]',
  'vera@example.com\u0000.evil.test',
  'vera@example\uff0ecom',
  'vera\u2024@example.com',
  'vera@\u24d4xample.com',
  'group:vera@example.com;',
  '.vera@example.com',
  'vera.@example.com',
  've..ra@example.com',
  'vera@-example.com',
  'vera@localhost',
  'VER\u0131@example.com',
  '\u017fvera@example.com',
  '\ufb01vera@example.com',
  'v%ra@example.com',
  'v_ra@example.com',
  'v*ra@example.com',
  "v'ra@example.com"
]

t.test(
  'an address is typed in another spelling: the recipient is the user who signs in, and nobody else',
  async (t) => {
    const started = await startAccounts(t)
    const { adapter, mailbox, newBrowser } = started
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    const ownerId = await idIn(owner)
    for (const typed of typedAddresses) {
      const label = JSON.stringify(typed)
      const before = mailbox.mails.length
      const visitor = newBrowser()
      await visitor.submit('/api/auth/signin/email', { email: typed })
      if (mailbox.mails.length === before) continue
      const { to, url } = mailbox.last()
      t.match(to, /^[\x21-\x7e]+$/, `${label}: the recipient is one plain address`)
      t.equal(to.split('@').length, 2, label)
      await visitor.open(url, { headers: fromAfar })
      const id = (await idIn(visitor)) ?? ''
      t.equal((await adapter?.getUser?.(id))?.email, to, `${label}: the user has the address of the recipient`)
      t.equal(id === ownerId, to === address, label)
    }
    t.equal(await idIn(owner), ownerId, 'the owner stays signed in')
  }
)

t.test('the address in the form is an array, comes twice, or is in the query', async (t) => {
  const { browser, mailbox } = await startAccounts(t)
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const asJson = { 'content-type': 'application/json' }
  const path = '/api/auth/signin/email'
  for (const [body, headers, query] of [
    [JSON.stringify({ csrfToken, email: [address, 'mallory@evil.test'] }), asJson, ''],
    [JSON.stringify({ csrfToken, email: { 0: address } }), asJson, ''],
    [`{"csrfToken":"${csrfToken}","email":"x","__proto__":{"email":"${address}"}}`, asJson, ''],
    [`csrfToken=${csrfToken}&email=${address}&email=mallory%40evil.test`, {}, ''],
    [`csrfToken=${csrfToken}&email[]=${address}`, {}, ''],
    [`csrfToken=${csrfToken}`, {}, `?email=${address}`]
  ] as const)
    await browser.post(`${path}${query}`, body, headers)
  t.same(mailbox.mails, [])
})

t.test('the code of the attacker is posted together with the address of a victim', async (t) => {
  const started = await startAccounts(t)
  const { newBrowser, mailbox, adapter } = started
  await signInByMail(started, newBrowser(), address)
  const thief = newBrowser()
  await thief.submit('/api/auth/signin/email', { email: 'mallory@evil.test' })
  const { code } = mailbox.last()
  await thief.submit(`/api/auth/callback/email?email=${address}`, { code, email: address, identifier: address })
  const id = await idIn(thief)
  t.not(id, (await adapter?.getUserByEmail?.(address))?.id)
  t.ok(id === null || (await adapter?.getUser?.(id))?.email === 'mallory@evil.test')
})

t.test('the code of a victim is used with the cookie of a request by the attacker, and the reverse', async (t) => {
  const { newBrowser, mailbox } = await startAccounts(t)
  const [thief, owner] = [newBrowser(), newBrowser()]
  await thief.submit('/api/auth/signin/email', { email: 'mallory@evil.test' })
  const thiefs = mailbox.last().code
  await owner.submit('/api/auth/signin/email', { email: address })
  const owners = mailbox.last().code
  await thief.submit('/api/auth/callback/email', { code: owners })
  t.equal(await idIn(thief), null)
  await owner.submit('/api/auth/callback/email', { code: thiefs })
  t.equal(await idIn(owner), null, 'nobody is signed in as the attacker')
  await owner.submit('/api/auth/callback/email', { code: owners })
  t.ok(await idIn(owner), 'the code still works for its owner')
})

t.test('patterns, lists and other spellings of a code are tried', async (t) => {
  const { newBrowser } = await startAccounts(t)
  const guesses = ['%', '________', '*', '', ' ', '[]', 'undefined', 'null', '0', '[object Object]', '\u0000']
  for (const [index, guess] of guesses.entries()) {
    const browser = newBrowser()
    await browser.submit('/api/auth/signin/email', { email: `guess${index}@example.com` })
    await browser.submit('/api/auth/callback/email', { code: guess })
    t.equal(await idIn(browser), null, JSON.stringify(guess))
  }
  const { browser, mailbox } = await startAccounts(t)
  await browser.submit('/api/auth/signin/email', { email: address })
  const { code } = mailbox.last()
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  const others = ['BCDFGHJK', 'LMNPQRST', 'VWXZBCDF']
  const asJson = { 'content-type': 'application/json' }
  await browser.post('/api/auth/callback/email', JSON.stringify({ csrfToken, code: [...others, code] }), asJson)
  t.equal(await idIn(browser), null, 'a list of codes is not a code')
  await browser.post('/api/auth/callback/email', `csrfToken=${csrfToken}&code=${others.join('&code=')}&code=${code}`)
  t.equal(await idIn(browser), null, 'nor are several fields')
  await browser.post(
    '/api/auth/callback/email',
    JSON.stringify({ csrfToken, code: `${others.join(' ')} ${code}` }),
    asJson
  )
  t.equal(await idIn(browser), null, 'nor is a text with several')
})

t.test('one browser asks for five mails and tries five codes: then none of the five works', async (t) => {
  const { browser, mailbox } = await startAccounts(t)
  for (let mail = 0; mail < 5; mail++) await browser.submit('/api/auth/signin/email', { email: address })
  for (const code of ['BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD', 'FFFFFFFF', 'GGGGGGGG'])
    await browser.submit('/api/auth/callback/email', { code })
  for (const { code } of mailbox.mails) {
    await browser.submit('/api/auth/callback/email', { code })
    t.equal(await idIn(browser), null, 'five guesses at five codes are not twenty-five')
  }
})

t.test('a browser restores its cookie after each wrong code: the tries are counted on the server', async (t) => {
  const { browser, mailbox, newBrowser } = await startAccounts(t)
  await browser.submit('/api/auth/signin/email', { email: address })
  const saved = browser.cookies.clone()
  for (let guess = 0; guess < 5; guess++) {
    const copy = newBrowser()
    for (const { name, value, ...attributes } of saved.all()) copy.cookies.set(name, value, attributes)
    await copy.submit('/api/auth/callback/email', { code: 'BBBBBBBB' })
  }
  await browser.submit('/api/auth/callback/email', { code: mailbox.last().code })
  t.equal(await idIn(browser), null)
})

t.test('a stranger tries codes: the owner, whose browser has the cookie, is not locked out', async (t) => {
  const { newBrowser, mailbox } = await startAccounts(t)
  const [stranger, owner] = [newBrowser(), newBrowser()]
  await owner.submit('/api/auth/signin/email', { email: address })
  const { code } = mailbox.last()
  await stranger.submit('/api/auth/signin/email', { email: address })
  for (let guess = 0; guess < 20; guess++)
    await stranger.submit('/api/auth/callback/email', { code: 'BBBBBBBB', email: address })
  await owner.submit('/api/auth/callback/email', { code })
  t.ok(await idIn(owner))
})

t.test('the attacker asks for a mail to a victim, who opens its link: only the victim is signed in', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { newBrowser, mailbox, adapter } = started
    const [thief, owner] = [newBrowser(), newBrowser()]
    await signIn(started, thief, mallory)
    const thiefId = await idIn(thief)
    await thief.submit('/api/auth/signin/email', { email: address })
    const { url, code } = mailbox.last()
    const page = await owner.open(url, { headers: fromAfar })
    await owner.fill(page, 'form[method=post]')
    const ownerId = await idIn(owner)
    t.equal((await adapter?.getUser?.(ownerId ?? ''))?.email, address, strategy)
    t.not(ownerId, thiefId)
    await thief.submit('/api/auth/callback/email', { code })
    await thief.open(url, { headers: fromAfar })
    t.equal(await idIn(thief), thiefId, 'the attacker stays who it was')
  }
})

t.test('a link to the old address is opened after the user changed the address', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { newBrowser, mailbox, adapter } = started
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    const ownerId = (await idIn(owner)) ?? ''
    const thief = newBrowser()
    await thief.submit('/api/auth/signin/email', { email: address })
    await adapter?.updateUser?.({ id: ownerId, email: 'vera@new.example.com', emailVerified: null })
    await thief.open(mailbox.last().url, { headers: fromAfar })
    t.not(await idIn(thief), ownerId, strategy)
    t.notOk(await isVerified(started, ownerId), 'the old mail does not verify the new address')
  }
})

t.test('a mail, a pending sign-in and a pending link of a deleted user are completed', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { newBrowser, app, mailbox, adapter } = started
    const browser = newBrowser()
    await signIn(started, browser, vera)
    const id = (await idIn(browser)) ?? ''
    const pending = newBrowser()
    const again = await begin(started, pending, vera)
    const link = await begin(started, browser, { ...vera, sub: 'vera-2' }, { link: 'true' })
    const mail = newBrowser()
    await mail.submit('/api/auth/signin/email', { email: address })
    await app.postern.deleteUser(id)
    t.equal(await idIn(browser), null, 'the session ended')
    for (const finish of [again.finish, link.finish, () => mail.open(mailbox.last().url, { headers: fromAfar })])
      await finish()
    for (const visitor of [browser, pending, mail])
      t.not(await idIn(visitor), id, `${strategy}: nobody is the deleted user`)
    t.equal((await adapter?.getUser?.(id)) ?? null, null)
    t.same(await accountsOf(started, id), [], 'and nothing is linked to it')
  }
})

t.test('join-4: an invitation is used by an attacker who is signed in, or who is not the invited user', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy }, demo: { verifiesEmail: true } })
    const { newBrowser, app, adapter } = started
    const userId = await signUp(started)
    const invited = await signUp(started, 'invited@example.com')
    await app.postern.invite(userId, { expiresIn: 60 })
    await app.postern.invite(invited, { expiresIn: 60 })
    const thief = newBrowser()
    await signIn(started, thief, mallory)
    t.same(await accountsOf(started, userId), [], 'another address')
    await signIn(
      started,
      thief,
      { ...mallory, sub: 'thief', email: 'invited@example.com', email_verified: false },
      { provider: 'loose' }
    )
    t.same(await accountsOf(started, invited), [], 'an unverified address')
    await signInByForm(newBrowser(), 'vera')
    t.same(await accountsOf(started, userId), [], 'a form')
    t.notOk(await isVerified(started, userId))
    // The addresses of two users are exchanged after they were invited.
    await adapter?.updateUser?.({ id: userId, email: 'temporary@example.com' })
    await adapter?.updateUser?.({ id: invited, email: address })
    await adapter?.updateUser?.({ id: userId, email: 'invited@example.com' })
    await signIn(started, newBrowser(), vera)
    t.same(await accountsOf(started, invited), [], 'the invitation of another user')
    t.same(await accountsOf(started, userId), [], 'an invitation to another address')
  }
})

t.test('join-4: an invitation that the user no longer needs works for an attacker later', async (t) => {
  for (const use of ['mail', 'revoked by a new user', 'unlinked'] as const) {
    const started = await startAccounts(t, { demo: { verifiesEmail: true } })
    const { newBrowser, app, adapter } = started
    const userId = await signUp(started)
    await app.postern.invite(userId, { expiresIn: 3600 })
    if (use === 'mail') await signInByMail(started, newBrowser(), address)
    else if (use === 'unlinked') {
      await signIn(started, newBrowser(), vera)
      await app.postern.unlink(userId, { provider: 'demo', providerAccountId: 'vera' })
    } else {
      await app.postern.deleteUser(userId)
      await signUp(started)
    }
    const current = (await adapter?.getUserByEmail?.(address))?.id ?? ''
    const thief = newBrowser()
    await signIn(started, thief, { ...vera, sub: 'later' })
    t.same(await accountsOf(started, current), [], use)
    t.equal(await idIn(thief), null, use)
  }
})

t.test('join-4: an invitation expires between the start and the end of a sign-in', async (t) => {
  const started = await startAccounts(t, { demo: { verifiesEmail: true } })
  const userId = await signUp(started)
  await started.app.postern.invite(userId, { expiresIn: 60 })
  const { finish } = await begin(started, started.browser, vera)
  started.clock.advance(61)
  await finish()
  t.equal(await idIn(started.browser), null)
  t.same(await accountsOf(started, userId), [])
})

const similarIds: readonly (readonly string[])[] = [
  ['1', '01', '1.0', '+1', '1e0', '0x1', '1 ', ' 1', '\uff11', '1\u0000'],
  ['vera', 'Vera', 'VERA', 'vera ', 'v\u00e9ra', 've\u0301ra', 'vera\u200b', 'vera/', '../vera', 'vera%20'],
  ['\u017f', 's', 'S'],
  ['true', 'null', 'NaN', 'constructor', '__proto__', 'toString']
]

t.test('account ids that resemble each other, or names of object members, lead to different users', async (t) => {
  const someStores = inTurn([
    ['memory', () => memoryAdapter()],
    ['sqlite', () => sqliteAdapter({ file: ':memory:' })]
  ] as const)
  for (const ids of similarIds) {
    for (const [name, open] of someStores()) {
      const started = await startAccounts(t, { adapter: open() })
      const seen = new Map<string, string>()
      for (const sub of ids) {
        const browser = started.newBrowser()
        await signIn(started, browser, { sub })
        const id = await idIn(browser)
        // An id may be refused, but it never signs in as another one.
        if (id === null) continue
        t.notOk(seen.has(id), `${name}: ${JSON.stringify(sub)} is ${JSON.stringify(seen.get(id))}`)
        seen.set(id, sub)
      }
      t.ok(seen.size >= 2, `${name}: ${ids[0]}`)
    }
  }
})

t.test('the number 1 and the text 1 of one provider, and the id of another provider', async (t) => {
  const started = await startAccounts(t, {
    demo: { profile: (profile: Person) => ({ id: profile['number'] as string, name: 'N' }) }
  })
  const [number, text, other] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
  await signIn(started, number, { sub: 'a', number: 1 })
  await signIn(started, text, { sub: 'b', number: '1' })
  await signIn(started, other, { sub: '1' }, { provider: 'loose' })
  t.equal(await idIn(number), await idIn(text), 'a number is the text of its digits, as in next-auth')
  t.not(await idIn(other), await idIn(number), 'an id belongs to its provider')
})

t.test('unlink is called with an account, or a user, that only resembles the own one', async (t) => {
  const started = await startAccounts(t)
  const { app, newBrowser } = started
  const [own, other] = [newBrowser(), newBrowser()]
  await signIn(started, own, vera)
  await signIn(started, own, { ...vera, sub: 'vera-2' }, { link: 'true' })
  await signIn(started, other, mallory)
  const id = (await idIn(own)) ?? ''
  const otherId = (await idIn(other)) ?? ''
  const cases = [
    [otherId, { provider: 'demo', providerAccountId: 'vera' }],
    [id, { provider: 'demo', providerAccountId: 'mallory' }],
    [id, { provider: 'demo', providerAccountId: 'VERA' }],
    [id, { provider: 'demo', providerAccountId: 'vera ' }],
    [id, { provider: 'DEMO', providerAccountId: 'vera' }],
    [id, { provider: 'loose', providerAccountId: 'vera' }],
    [id, { provider: 'demo', providerAccountId: '' }],
    [id.toUpperCase(), { provider: 'demo', providerAccountId: 'vera' }],
    [`${id} `, { provider: 'demo', providerAccountId: 'vera' }],
    ['', { provider: 'demo', providerAccountId: 'vera' }]
  ] as const
  for (const [userId, account] of cases)
    await t.rejects(async () => app.postern.unlink(userId, account), `${userId} ${JSON.stringify(account)}`)
  const odd = [{ provider: 'demo', providerAccountId: ['vera'] }, { provider: ['demo'] }, 'demo', null, [], { $ne: '' }]
  for (const account of odd)
    await t.rejects(async () => Reflect.apply(app.postern.unlink, null, [id, account]), JSON.stringify(account))
  t.same(await accountsOf(started, id), ['demo vera', 'demo vera-2'])
  t.same(await accountsOf(started, otherId), ['demo mallory'])
  t.equal(await idIn(own), id)
})

t.test(
  'unlink-2: all accounts of a user are unlinked at the same moment, one of them twice: one is left',
  async (t) => {
    for (const [name, open] of [
      ['memory', () => memoryAdapter()],
      ['without transactions', () => withoutTransactions(memoryAdapter())],
      ['sqlite', () => sqliteAdapter({ file: ':memory:' })]
    ] as const) {
      const started = await startAccounts(t, { adapter: open() })
      const { app, browser } = started
      const subs = ['1', '2', '3']
      for (const sub of subs) await signIn(started, browser, { sub }, { link: 'true' })
      const id = (await idIn(browser)) ?? ''
      t.equal((await accountsOf(started, id)).length, 3)
      const work = [...subs, '1'].map((sub) => app.postern.unlink(id, { provider: 'demo', providerAccountId: sub }))
      await Promise.allSettled(work)
      t.ok((await accountsOf(started, id)).length >= 1, name)
    }
  }
)

t.test(
  'unlink-2: the last way in is removed, because an unverified address or a form seems to be another one',
  async (t) => {
    const started = await startAccounts(t)
    await signIn(started, started.browser, { ...vera, email_verified: false })
    const id = (await idIn(started.browser)) ?? ''
    await t.rejects(started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'vera' }), {
      code: 'LAST_WAY_IN'
    })
    await started.adapter?.linkAccount?.({ provider: 'gone', providerAccountId: 'x', type: 'oidc', userId: id })
    await t.rejects(started.app.postern.unlink(id, { provider: 'demo', providerAccountId: 'vera' }), {
      code: 'LAST_WAY_IN'
    })
    t.equal(await idIn(started.browser), id, 'and the session stays')
  }
)

t.test('overlap-4: an unlinked account is used with a sign-in, a link or a page from before', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { app, newBrowser } = started
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    const id = (await idIn(owner)) ?? ''
    await signIn(started, owner, mallory, { link: 'true' })
    const thief = newBrowser()
    await signIn(started, thief, mallory)
    t.equal(await idIn(thief), id, 'linked')
    const pendingLink = await begin(started, thief, { ...mallory, sub: 'mallory-2' }, { link: 'true' })
    const pending = newBrowser()
    const signInAgain = await begin(started, pending, mallory)
    await signInByMail(started, owner, address)
    await app.postern.unlink(id, { provider: 'demo', providerAccountId: 'mallory' })
    await pendingLink.finish()
    await signInAgain.finish()
    t.not(await idIn(thief), id, strategy)
    t.not(await idIn(pending), id, strategy)
    t.same(await accountsOf(started, id), [])
    t.equal(await idIn(owner), null, 'what the application unlinks ends every session')
  }
})

/** The page that asks a signed-in visitor whether to connect an account. */
async function confirmation(started: Started, browser: Browser, person: Person): Promise<BrowserResponse> {
  return openLinkPage(browser, await signIn(started, browser, person))
}

const getFields = (page: BrowserResponse): Record<string, string> =>
  Object.fromEntries(
    page
      .html()
      .querySelectorAll('form[method=post] input')
      .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''])
  )

async function signedInPair(started: Started) {
  const [victim, thief] = [started.newBrowser(), started.newBrowser()]
  await signInByMail(started, victim, address)
  await signInByMail(started, thief, 'mallory@evil.test')
  return { victim, thief, victimId: (await idIn(victim)) ?? '', thiefId: (await idIn(thief)) ?? '' }
}

t.test('the page that confirms a link is framed, cached, or opened by GET', async (t) => {
  const started = await startAccounts(t)
  const { victim, victimId } = await signedInPair(started)
  const page = await confirmation(started, victim, vera)
  t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/)
  t.match(page.headers['x-frame-options'], /^DENY$/i)
  t.match(page.headers['cache-control'], /no-store/)
  const { csrfToken: _, ...fields } = getFields(page)
  for (const method of ['GET', 'HEAD'] as const)
    for (const path of ['signin/demo', 'verify/link', 'verify'])
      await victim.request(method, `/api/auth/${path}?${new URLSearchParams(fields)}`)
  t.same(await accountsOf(started, victimId), [])
  t.equal(await idOf(started, 'vera'), null)
})

t.test('the form that confirms a link is posted without a CSRF token, or from another site', async (t) => {
  const started = await startAccounts(t)
  const { victim, victimId } = await signedInPair(started)
  const page = await confirmation(started, victim, vera)
  const { csrfToken = '', ...fields } = getFields(page)
  for (const [more, headers] of [
    [{}, {}],
    [{ csrfToken: '' }, {}],
    [{ csrfToken: 'a'.repeat(64) }, {}],
    [{ csrfToken }, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    [{ csrfToken }, { 'sec-fetch-site': 'same-site', origin: 'https://sub.app.test' }]
  ] as const) {
    const body = `${new URLSearchParams({ ...fields, ...more })}`
    const { location } = await victim.post('/api/auth/verify/link', body, headers)
    t.equal(location, `${origin}/api/auth/verify/link?csrf=true`, JSON.stringify([more, headers]))
    t.same(await accountsOf(started, victimId), [])
  }
  t.equal((await victim.fill(page, '/api/auth/verify/link')).location, origin)
  t.same(await accountsOf(started, victimId), ['demo vera'], 'its own page posts it')
})

t.test(
  'link-3: the page that confirms a link was shown to another user, or for another provider or account',
  async (t) => {
    for (const strategy of someStrategies()) {
      const started = await startAccounts(t, { session: { strategy } })
      const { victim, thief, victimId, thiefId } = await signedInPair(started)
      const stale = await confirmation(started, thief, vera)
      await signInByMail(started, thief, 'third@example.com')
      const { location } = await thief.fill(stale, '/api/auth/verify/link')
      t.not(location, origin, 'the page of a user who is no longer signed in')
      t.equal(await idOf(started, 'vera'), null)
      t.same(await accountsOf(started, thiefId), [])
      const { link = '' } = getFields(await confirmation(started, victim, vera))
      t.ok(link.length > 4, 'the page has a value')
      await signIn(started, victim, vera, { link, provider: 'loose' })
      t.same(await accountsOf(started, victimId), [], 'another provider')
      await signIn(started, victim, mallory, { link })
      t.same(await accountsOf(started, victimId), [], 'another account')
      const stranger = started.newBrowser()
      await signIn(started, stranger, vera, { link })
      t.not(await idIn(stranger), victimId, 'nobody')
      t.same(await accountsOf(started, victimId), [], 'nobody')
    }
  }
)

t.test('the value that confirms a link is used after the sign-in is no longer recent', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { victim, victimId } = await signedInPair(started)
    const { link = '' } = getFields(await confirmation(started, victim, vera))
    started.clock.advance(601)
    await signIn(started, victim, vera, { link })
    t.same(await accountsOf(started, victimId), [], strategy)
  }
})

t.test('a confirmed link is confirmed a second time, for an account that is removed or of another user', async (t) => {
  const started = await startAccounts(t)
  const { victim, thief, victimId, thiefId } = await signedInPair(started)
  const page = await confirmation(started, victim, vera)
  const { link = '' } = getFields(page)
  await signIn(started, victim, vera, { link })
  t.same(await accountsOf(started, victimId), ['demo vera'])
  await started.app.postern.unlink(victimId, { provider: 'demo', providerAccountId: 'vera' })
  await signIn(started, thief, vera, { link: 'true' })
  t.same(await accountsOf(started, thiefId), ['demo vera'], 'the account has another user now')
  const replay = started.newBrowser()
  await signInByMail(started, replay, address)
  await signIn(started, replay, vera, { link })
  t.same(await accountsOf(started, thiefId), ['demo vera'], 'and is not moved')
  t.same(await accountsOf(started, victimId), [])
})

t.test('a link that one browser started is finished in the browser of a victim', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { victim, thief, victimId, thiefId } = await signedInPair(started)
    const { callback } = await begin(started, thief, mallory, { link: 'true' })
    await victim.open(callback, { headers: fromAfar })
    t.same(await accountsOf(started, victimId), [], 'the account of the attacker')
    const own = await begin(started, victim, vera, { link: 'true' })
    await thief.open(own.callback, { headers: fromAfar })
    t.same(await accountsOf(started, thiefId), [], 'the account of the victim')
    t.equal(await idIn(victim), victimId)
    t.equal(await idIn(thief), thiefId)
    t.equal(await idOf(started, 'vera'), null)
    t.equal(await idOf(started, 'mallory'), null)
  }
})

t.test('the cookies of a link of the attacker are put into the browser of a victim who is signed in', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { victim, thief, victimId } = await signedInPair(started)
    const { callback } = await begin(started, thief, mallory, { link: 'true' })
    for (const { name, value, ...attributes } of thief.cookies.all())
      if (!name.includes('session-token')) victim.cookies.set(name, value, attributes)
    await victim.open(callback, { headers: fromAfar })
    t.same(await accountsOf(started, victimId), [], strategy)
  }
})

t.test('the attacker sends linkUrl to a victim: it starts nothing, and leads nowhere else', async (t) => {
  const started = await startAccounts(t)
  const { app, newBrowser } = started
  const { victim, victimId } = await signedInPair(started)
  for (const callbackUrl of ['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/account']) {
    const page = await victim.open(app.postern.linkUrl('demo', callbackUrl), { headers: fromAfar })
    t.notOk(
      page.setCookies.some(({ name }) => /state|pkce|nonce/.test(name)),
      'nothing is started'
    )
    t.notMatch(page.body, /evil\.test|javascript:/)
    t.match(page.headers['content-security-policy'], /frame-ancestors 'none'/)
  }
  for (const provider of [
    'unknown',
    '../signout',
    'demo/../email',
    'email',
    'credentials',
    '__proto__',
    'demo?link=true&x'
  ])
    t.notOk((await victim.open(`/api/auth/signin?link=${encodeURIComponent(provider)}`)).status >= 500, provider)
  const anonymous = newBrowser()
  const page = await anonymous.followAll(await anonymous.open(app.postern.linkUrl('demo', '/account')))
  t.ok(page.status < 500)
  t.notMatch(page.body, address, 'a visitor without a session learns nothing')
  t.same(await accountsOf(started, victimId), [])
})

t.test('one account is linked by two users at the same moment: it has one of them', async (t) => {
  for (const [name, open] of [
    ['memory', () => memoryAdapter()],
    ['without transactions', () => withoutTransactions(memoryAdapter())],
    ['sqlite', () => sqliteAdapter({ file: ':memory:' })]
  ] as const) {
    for (const strategy of someStrategies()) {
      const started = await startAccounts(t, { session: { strategy }, adapter: open() })
      const { victim, thief, victimId, thiefId } = await signedInPair(started)
      const [first, second] = [
        await begin(started, victim, vera, { link: 'true' }),
        await begin(started, thief, vera, { link: 'true' })
      ]
      await Promise.all([first.finish(), second.finish()])
      const linked = [...(await accountsOf(started, victimId)), ...(await accountsOf(started, thiefId))]
      t.same(linked, ['demo vera'], `${name}, ${strategy}`)
      t.equal(await idIn(victim), victimId)
      t.equal(await idIn(thief), thiefId)
    }
  }
})

t.test('the address of a signed-in user is replaced by that of an account, a form or a second mail', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { victim, thief, thiefId, victimId } = await signedInPair(started)
    await signIn(started, thief, { ...vera, sub: 'x' }, { link: 'true' })
    await signIn(started, thief, { ...vera, sub: 'x', email: 'other@example.com' })
    t.equal((await started.adapter?.getUser?.(thiefId))?.email, 'mallory@evil.test', strategy)
    t.equal((await started.adapter?.getUserByEmail?.(address))?.id, victimId)
    await signInByForm(thief, 'vera')
    t.not(await idIn(thief), victimId, 'the form has an unverified address')
    t.equal(await idIn(victim), victimId)
  }
})

t.test('a form signs in with the id of another user: only what authorize returns decides', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, { session: { strategy } })
    const { newBrowser } = started
    const owner = newBrowser()
    await signInByMail(started, owner, address)
    const id = (await idIn(owner)) ?? ''
    const thief = newBrowser()
    const fields = { id, userId: id, sub: id, email: address, user: id, providerAccountId: id }
    await thief.submit('/api/auth/callback/credentials', { username: 'mallory', password: 'lovelace', ...fields })
    t.ok(await idIn(thief))
    t.not(await idIn(thief), id, strategy)
  }
})

t.test('a form returns the address of somebody else in another spelling', async (t) => {
  const all = strategies.flatMap((strategy) =>
    [
      'Vera@Example.COM',
      ' vera@example.com',
      'vera@example.com ',
      '\uff56era@example.com',
      'vera@example.com\u0000'
    ].map((email) => [strategy, email] as const)
  )
  for (const [strategy, email] of some(all, (one) => one, 1)) {
    const form = credentials({
      credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize: () => ({ id: 'thief', name: 'T', email })
    })
    const started = await startAccounts(t, { session: { strategy }, providers: [mails(), form] })
    const [owner, thief] = [started.newBrowser(), started.newBrowser()]
    await signInByMail(started, owner, address)
    const ownerId = (await idIn(owner)) ?? ''
    await signInByForm(thief)
    const label = `${strategy}, ${JSON.stringify(email)}`
    t.not(await idIn(thief), ownerId, label)
    t.same(await accountsOf(started, ownerId), [], label)
    t.equal((await started.adapter?.getUserByEmail?.(address))?.id, ownerId, label)
    t.equal(await idIn(owner), ownerId, label)
  }
})

t.test('the token of an account of another user is requested by its id', async (t) => {
  for (const strategy of someStrategies()) {
    const started = await startAccounts(t, {
      session: { strategy },
      before: (app) => {
        app.get<{ Params: { provider: string; id: string } }>('/token/:provider/:id', async (request) => ({
          token: await request.getAccessToken(request.params.provider, { providerAccountId: request.params.id })
        }))
      }
    })
    const { newBrowser } = started
    const [owner, thief] = [newBrowser(), newBrowser()]
    await signIn(started, owner, vera)
    await signIn(started, thief, mallory)
    const getToken = (browser: Browser, id: string, provider = 'demo') =>
      browser.json<{ token?: string; code?: string }>(`/token/${provider}/${id}`)
    const { token } = await getToken(owner, 'vera')
    t.ok(token)
    for (const [id, provider] of [
      ['vera', 'demo'],
      ['vera', 'loose'],
      ['VERA', 'demo'],
      ['mallory', 'loose'],
      ['__proto__', 'demo']
    ] as const)
      t.match(await getToken(thief, id, provider), { code: 'UNKNOWN_ACCOUNT' }, `${strategy}: ${provider} ${id}`)
    t.match(await getToken(newBrowser(), 'vera'), { code: 'SIGNED_OUT' })
    t.not((await getToken(thief, 'mallory')).token, token)
  }
})

t.test(
  'an account has a name or an address with markup: the page that names it contains no element of it',
  async (t) => {
    const started = await startAccounts(t)
    const { victim } = await signedInPair(started)
    for (const text of [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus=alert(1) x='",
      '</form><form action=https://evil.test>',
      '{{constructor.constructor("alert(1)")()}}',
      '<a href="https://evil.test">vera@example.com</a>'
    ]) {
      const person = { sub: text, name: text, email: text, picture: 'javascript:alert(1)' }
      const page = await confirmation(started, victim, person)
      t.ok(page.html().text.includes(text), 'the page shows it as text')
      const document = page.html()
      t.equal(
        document.querySelectorAll('script:not([src]), img[onerror], [onfocus], [autofocus][onfocus]').length,
        0,
        text
      )
      for (const element of document.querySelectorAll('form, a, img'))
        for (const name of ['action', 'href', 'src']) t.notMatch(element.getAttribute(name) ?? '', /evil|javascript:/)
    }
  }
)

t.test(
  'link-2: a stolen session that is no longer recent links, confirms or unlinks nothing, and does not become recent',
  async (t) => {
    for (const strategy of someStrategies()) {
      const started = await startAccounts(t, { session: { strategy } })
      const { victim, victimId } = await signedInPair(started)
      started.clock.advance(601)
      for (const link of ['', 'true']) {
        const thief = started.newBrowser()
        for (const { name, value, ...attributes } of victim.cookies.all()) thief.cookies.set(name, value, attributes)
        const reply = await signIn(started, thief, { ...mallory, sub: `m${link}` }, { link })
        t.match(reply.location, /error=OAuthAccountNotLinked/, 'nothing is asked')
        await thief.submit('/api/auth/verify/link', {})
        await signInByForm(thief, 'vera')
        t.same(await accountsOf(started, victimId), [], `${strategy}, link=${link}`)
      }
    }
  }
)

t.test('a linked account reports the address of another user: neither user changes', async (t) => {
  for (const email_verified of [true, false]) {
    const started = await startAccounts(t, {
      demo: { allowDangerousEmailAccountLinking: true, verifiesEmail: email_verified }
    })
    const { newBrowser, adapter } = started
    const [owner, thief] = [newBrowser(), newBrowser()]
    await signInByMail(started, owner, address)
    await signIn(started, thief, mallory)
    const [ownerId, thiefId] = [(await idIn(owner)) ?? '', (await idIn(thief)) ?? '']
    await started.app.postern.invite(ownerId, { expiresIn: 60 })
    await signIn(started, thief, { ...vera, sub: 'mallory', email_verified })
    t.equal(await idIn(thief), thiefId)
    t.equal((await adapter?.getUser?.(thiefId))?.email, 'mallory@evil.test')
    t.equal((await adapter?.getUserByEmail?.(address))?.id, ownerId)
    t.same(await accountsOf(started, ownerId), [])
    t.equal(await idIn(owner), ownerId)
  }
})

/** A feature for tests: a key that a user has enrolled signs in. */
function createKeyFeature(): Feature<KeyFeatureApi> {
  return {
    id: 'keys',
    needs: ['createFactor', 'getFactor'],
    setup: (context) => ({
      signInMethods: [
        {
          id: 'key',
          name: 'Key',
          type: 'key',
          accountPolicy: 'application',
          verify: async ({ body }) => {
            const factor = await context.factors.get({ type: 'key', id: String(body['key']) })
            const user = factor && (await context.users.getUser(factor.userId))
            if (!user) throw new SignInError('UnknownKey')
            return { kind: 'identity', providerAccountId: user.id, user }
          }
        }
      ],
      api: {
        enroll: (userId, id) => {
          const createdAt = new Date(context.now())
          return context.factors.create({
            type: 'key',
            id,
            userId,
            name: null,
            data: '',
            createdAt,
            lastUsedAt: null,
            version: 0
          })
        }
      }
    })
  }
}

t.test(
  'reclaim-1: an attacker enrolls a factor, such as a passkey, before the owner reclaims the user: it signs in afterwards',
  async (t) => {
    for (const open of [
      () => memoryAdapter(),
      () => withoutTransactions(memoryAdapter()),
      () => sqliteAdapter({ file: ':memory:' })
    ]) {
      for (const strategy of someStrategies()) {
        const started = await startAccounts(t, {
          adapter: open(),
          session: { strategy },
          features: [createKeyFeature()]
        })
        const { app, adapter, newBrowser, clock } = started
        const thief = newBrowser()
        await signIn(started, thief, { ...mallory, email: address, email_verified: false })
        const id = (await idIn(thief)) ?? ''
        await app.postern.features.keys.enroll(id, 'key of the attacker')
        await thief.submit('/api/auth/callback/key', { key: 'key of the attacker' })
        t.equal(await idIn(thief), id, 'the key signs in before')
        const owner = newBrowser()
        await signInByMail(started, owner, address)
        t.equal(await idIn(owner), id, 'the owner has reclaimed the user')
        clock.advance(60)
        const back = newBrowser()
        await back.submit('/api/auth/callback/key', { key: 'key of the attacker' })
        t.equal(await idIn(back), null, strategy)
        t.same(await adapter?.listFactors?.(id), [], 'nothing of the attacker is left')
        await app.postern.features.keys.enroll(id, 'key of the owner')
        await signInByMail(started, owner, address)
        await back.submit('/api/auth/callback/key', { key: 'key of the owner' })
        t.equal(await idIn(back), id, 'a factor from after the claim stays')
      }
    }
  }
)

t.test(
  'reclaim-1: an interrupted sign-in, a link and a mail of the attacker are continued after the owner reclaimed the user',
  async (t) => {
    for (const strategy of someStrategies()) {
      const gate = createTestGate(false)
      const started = await startAccounts(t, { session: { strategy }, features: [gate.feature] })
      const { newBrowser, mailbox } = started
      const person = { ...mallory, email: address, email_verified: false }
      const [thief, pending, owner] = [newBrowser(), newBrowser(), newBrowser()]
      await signIn(started, thief, person)
      const id = await idIn(thief)
      await thief.submit('/api/auth/signin/email', { email: address })
      const { url, code } = mailbox.last()
      gate.isDue = true
      await signIn(started, pending, person)
      t.equal(await idIn(pending), null, 'the sign-in is interrupted')
      gate.isDue = false
      const page = await owner.open(url, { headers: fromAfar })
      await owner.fill(page, 'form[method=post]')
      t.equal(await idIn(owner), id, 'the owner has reclaimed the user')
      await pending.submit('/api/auth/verify/ask', { answer: 'yes' })
      await thief.submit('/api/auth/callback/email', { code })
      await thief.open(url, { headers: fromAfar })
      for (const browser of [thief, pending]) t.not(await idIn(browser), id, strategy)
      t.same(await accountsOf(started, id ?? ''), [], 'the account of the attacker leads elsewhere')
    }
  }
)
