import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, Profile } from '@postern/core'
import { isLong } from '@postern/testkit/long'
import { fromAfar, getSession, signInAtIssuer, signInByForm, signInByMail, start } from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  addAccount,
  createPause,
  createUser,
  email,
  fourteenMethods,
  getAccounts,
  getUser,
  isRefused,
  isVerified,
  key,
  mallory,
  plantTrojan,
  someStores,
  someStrategies,
  victim
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

/** Attacks on linking that come one after another. */
export const linking: readonly Replay[] = [
  [
    'Q54',
    'an interrupted first sign-in is continued as a user that it did not create, or that was claimed or renamed',
    async (t) => {
      for (const act of ['recreated', 'claimed', 'renamed', 'created by the application meanwhile'] as const) {
        const pause = createPause()
        const base = withoutTransactions(memoryAdapter())
        const create: Adapter['createUser'] = async (user) => {
          await pause.run()
          if (!base.createUser) throw new Error('expected createUser')
          return base.createUser(user)
        }
        const started = await start(t, { adapter: { ...base, createUser: create }, rateLimit: false })
        const person = { ...mallory, email, email_verified: false }
        if (act === 'created by the application meanwhile') {
          pause.during = async () => base.createUser?.({ name: null, email, emailVerified: null })
        } else started.store.breakDown('linkAccount', 'deleteUser')
        await signInAtIssuer(started, started.newBrowser(), person)
        started.store.restore()
        const left = (await getUser(started))?.id ?? ''
        t.ok(left, act)
        const address = act === 'renamed' ? 'other@example.com' : email
        if (act === 'recreated') {
          await started.adapter?.deleteUser?.(left)
          await createUser(started)
        }
        if (act === 'claimed') await signInByMail(started, started.browser, email)
        if (act === 'renamed') await started.adapter?.updateUser?.({ id: left, email: address })
        t.ok(isRefused(await signInAtIssuer(started, started.newBrowser(), { ...person, email: address })), act)
        t.same(await getAccounts(started, (await getUser(started, address))?.id ?? ''), [], act)
      }
    }
  ],
  [
    'Q56',
    'an address that looks like the address of the victim joins the user, also in a store with a loose collation',
    async (t) => {
      const addresses = [
        ['VICTIM@example.com', true],
        ['vıctim@example.com', false],
        ['vİctim@example.com', false],
        ['víctim@example.com', false],
        ['ｖictim@example.com', false],
        ['victim+x@example.com', false],
        ['victim@example.com.', false],
        ['"victim"@example.com', false],
        ['victim\u00ad@example.com', false],
        ['victim\u200b@example.com', false],
        ['victim@example.com\0', false],
        ['victim@example.com,mallory@example.com', false]
      ] as const
      const fold = (text: string): string =>
        text
          .normalize('NFKD')
          .replaceAll(/\p{M}|\u00ad|\u200b|\0/gu, '')
          .toLowerCase()
      for (const [address, isSame] of addresses) {
        // A store with a loose collation shows more; both in the long run.
        for (const isLoose of isLong || isSame ? [false, true] : [true]) {
          const base = withoutTransactions(memoryAdapter())
          const getUserByEmail: Adapter['getUserByEmail'] = (text) =>
            base.getUserByEmail?.(isLoose && fold(text) === email ? email : text) ?? null
          const demo = { allowDangerousEmailAccountLinking: true, verifiesEmail: true }
          const started = await start(t, { adapter: { ...base, getUserByEmail }, demo })
          const user = await createUser(started, { emailVerified: new Date(0) })
          await started.app.postern.invite(user.id, { expiresIn: 60 })
          await signInAtIssuer(started, started.browser, { ...mallory, email: address })
          t.same(await getAccounts(started, user.id), isSame ? ['mallory'] : [], JSON.stringify({ address, isLoose }))
        }
      }
    }
  ],
  [
    'Q57',
    'a profile function returns another address than the one that the provider verified',
    async (t) => {
      const profile = (({ sub, preferred_username, email }: Profile) => ({
        id: sub,
        email: preferred_username ?? email
      })) as never
      for (const isTaken of [true, false]) {
        const started = await start(t, { demo: { allowDangerousEmailAccountLinking: true, profile } })
        const user = isTaken ? await createUser(started, { emailVerified: new Date(0) }) : null
        const person = { ...mallory, preferred_username: email }
        t.equal(isRefused(await signInAtIssuer(started, started.newBrowser(), person)), isTaken)
        if (user) t.same(await getAccounts(started, user.id), [])
        else {
          const created = (await getUser(started))?.id ?? ''
          t.equal(await isVerified(started, created), false)
          await signInByMail(started, started.browser, email)
          t.same(await getAccounts(started, created), [], 'it is not evidence')
        }
      }
    }
  ],
  [
    'Q58',
    'an account without an address finds a user, in a store that finds some user for an empty address',
    async (t) => {
      for (const address of [undefined, null, '', ' ', 5, ['victim@example.com'], 'null']) {
        const base = withoutTransactions(memoryAdapter())
        const getUserByEmail: Adapter['getUserByEmail'] = (text) =>
          base.getUserByEmail?.(text?.includes?.('@') ? text : email) ?? null
        const demo = { allowDangerousEmailAccountLinking: true, verifiesEmail: true }
        const started = await start(t, { adapter: { ...base, getUserByEmail }, demo })
        const user = await createUser(started, { emailVerified: new Date(0) })
        const nameless = await createUser(started, { email: null })
        await addAccount(started, nameless.id, 'nameless')
        const label = JSON.stringify(address) ?? 'undefined'
        await signInAtIssuer(started, started.newBrowser(), { ...mallory, email: address })
        t.same(await getAccounts(started, user.id), [], label)
        const before = await started.adapter?.getUserByAccount?.(key('nameless'))
        await signInAtIssuer(started, started.newBrowser(), { ...mallory, sub: 'nameless', email: address })
        t.equal(before?.id, nameless.id)
        t.equal(await isVerified(started, nameless.id), false, `${label} is not verified`)
      }
    }
  ],
  [
    'Q59',
    'a session that is renewed counts as a recent sign-in, and links an account',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const open of [memoryAdapter, fourteenMethods]) {
          const started = await start(t, {
            adapter: open(),
            session: { strategy, updateAge: 0 }
          })
          const { browser, clock } = started
          await signInByMail(started, browser, email)
          for (const seconds of [400, 400]) {
            clock.advance(seconds)
            t.match(await getSession(browser), { user: { email } })
          }
          t.ok(isRefused(await signInAtIssuer(started, browser, mallory)), `${strategy}, ${open.name}`)
          t.notOk(await started.adapter?.getUserByAccount?.(key('mallory')))
        }
      }
    }
  ],
  [
    'Q60',
    'unlink removes the account of another user, or counts a provider that is not configured as a sign-in method',
    async (t) => {
      for (const [name, open] of someStores()) {
        const started = await start(t, { adapter: open() })
        const { postern } = started.app
        const user = await createUser(started)
        const other = await createUser(started, { email: 'other@example.com' })
        await addAccount(started, user.id, 'a')
        await addAccount(started, user.id, '1', 'gone')
        await addAccount(started, other.id, 'b')
        await addAccount(started, other.id, 'c')
        await t.rejects(postern.unlink(user.id, key('a')), { code: 'LAST_WAY_IN' }, name)
        await t.rejects(postern.unlink(user.id, key('b')), { code: 'UNKNOWN_ACCOUNT' }, name)
        t.same(await getAccounts(started, other.id), ['b', 'c'])
        await postern.unlink(other.id, key('b'))
        t.same(await getAccounts(started, other.id), ['c'], 'the owner can')
      }
    }
  ],
  [
    'Q61',
    'a next-auth v4 user without emailVerified loses an account by signing in as before',
    async (t) => {
      for (const strategy of someStrategies()) {
        for (const isStated of [true, false]) {
          const started = await start(t, { session: { strategy } })
          const user = await createUser(started)
          await addAccount(started, user.id, 'vera')
          await addAccount(started, user.id, '1', 'github')
          await signInAtIssuer(started, started.browser, { ...victim, email_verified: isStated })
          t.same(await getAccounts(started, user.id), ['1', 'vera'], strategy)
          if (!isStated) continue
          await signInByMail(started, started.newBrowser(), email)
          t.same(
            await getAccounts(started, user.id),
            ['1', 'vera'],
            'the provider verified the address before the mail'
          )
          t.match(await getSession(started.browser), { user: { email } }, 'the first session stays')
        }
      }
    }
  ],
  [
    'Q62',
    'an invitation outlives its user, a reclaim by email, or the invitation that replaced it',
    async (t) => {
      for (const [name, open] of someStores()) {
        const started = await start(t, { adapter: open(), demo: { verifiesEmail: true } })
        const { app, newBrowser, clock } = started
        const redeem = () => signInAtIssuer(started, newBrowser(), victim)
        const first = await createUser(started)
        await app.postern.invite(first.id, { expiresIn: 60 })
        await app.postern.deleteUser(first.id)
        const { id } = await createUser(started)
        t.ok(isRefused(await redeem()), `${name}: its user was deleted`)
        await app.postern.invite(id, { expiresIn: 60 })
        await signInByMail(started, newBrowser(), email)
        t.ok(isRefused(await redeem()), `${name}: the owner reclaimed the user`)
        await app.postern.invite(id, { expiresIn: 60 })
        await app.postern.invite(id, { expiresIn: 1 })
        clock.advance(5)
        t.ok(isRefused(await redeem()), `${name}: a shorter one replaced it`)
        await app.postern.invite(id, { expiresIn: 60 })
        await redeem()
        t.same(await getAccounts(started, id), ['vera'], 'a live one works')
      }
    }
  ],
  [
    'Q63',
    'an account is linked to a user who is not in the store: deleted, or known to the form only',
    async (t) => {
      const started = await start(t, { session: { strategy: 'jwt', revocations: false } })
      const { adapter, browser, newBrowser } = started
      await signInAtIssuer(started, browser, mallory)
      const user = await adapter?.getUserByAccount?.(key('mallory'))
      await adapter?.deleteUser?.(user?.id ?? '')
      await signInAtIssuer(started, browser, victim)
      t.same(await getAccounts(started, user?.id ?? ''), [], 'a deleted user')
      const form = newBrowser()
      await signInByForm(form, 'ada')
      await signInAtIssuer(started, form, { sub: 'ada', email: 'other@example.com', email_verified: true })
      t.same(await getAccounts(started, 'id-ada'), [], 'a user of the form')
      const after = newBrowser()
      await signInAtIssuer(started, after, victim)
      t.match(await getSession(after), { user: { email } }, 'the account is not stuck')
    }
  ],
  [
    'Q64',
    'an innocent account is removed because its evidence is encrypted, or spelled in capital letters',
    async (t) => {
      for (const encryptTokens of [false, true]) {
        const { putAccountEvidence: _, getAccountEvidence: __, ...adapter } = memoryAdapter()
        const started = await start(t, { adapter: withoutTransactions(adapter), account: { encryptTokens } })
        await signInAtIssuer(started, started.newBrowser(), { ...victim, email: 'Victim@Example.com' })
        const id = (await getUser(started))?.id ?? ''
        await addAccount(started, id, 'planted')
        await started.adapter?.updateUser?.({ id, emailVerified: null })
        await signInByMail(started, started.newBrowser(), email)
        t.same(await getAccounts(started, id), ['vera'], `encryptTokens: ${encryptTokens}`)
      }
    }
  ],
  [
    'Q65',
    'a reclaim removes the accounts of another user, whose address differs in case only',
    async (t) => {
      const started = await start(t)
      const upper = await createUser(started, { email: 'Victim@example.com' })
      const lower = await createUser(started)
      await addAccount(started, upper.id, 'upper')
      await addAccount(started, lower.id, 'lower')
      await signInByMail(started, started.browser, email)
      t.same(await getAccounts(started, upper.id), ['upper'])
      t.same(await getAccounts(started, lower.id), [], 'only the user with this very address is claimed')
      t.equal(await isVerified(started, upper.id), false)
    }
  ],
  [
    'Q66',
    'a mail reveals whether its recipient has an account',
    async (t) => {
      const started = await start(t)
      const { browser, mailbox } = started
      await createUser(started, { emailVerified: new Date(0), name: 'Vera' })
      const results: string[] = []
      for (const address of [email, 'nobody@example.com']) {
        const { status, location } = await browser.submit('/api/auth/signin/email', { email: address })
        const { subject, text, code, url } = mailbox.last()
        const page = await started.newBrowser().open(url, { headers: fromAfar })
        const parts = [String(status), location ?? '', subject, text, String(page.status), page.html().text]
        const spacedCode = `${code.slice(0, 4)}[ -]?${code.slice(4)}`
        const same = parts.map((part) =>
          part
            .replaceAll(url, 'URL')
            .replaceAll(new RegExp(spacedCode, 'g'), 'CODE')
            .replaceAll(address, 'ADDRESS')
            .replaceAll(encodeURIComponent(address), 'ADDRESS')
        )
        results.push(same.join('\n'))
      }
      t.equal(results[0], results[1])
    }
  ],
  [
    'Q8',
    'the attacker sets a new password while reclaimUser runs, after the application deleted the old one',
    async (t) => {
      for (const strategy of someStrategies()) {
        const passwords = new Set<string>()
        const pause = createPause()
        const events = {
          reclaimUser: async ({ user }: { user: { id: string } }) => {
            passwords.delete(user.id)
            await pause.run()
          }
        }
        const started = await start(t, { events, session: { strategy }, instances: 1 })
        const { attacker, userId } = await plantTrojan(started)
        passwords.add(userId)
        pause.during = async () => {
          if ((await getSession(attacker)).user) passwords.add(userId)
        }
        await signInByMail(started, started.browser, email)
        t.ok(pause.ran)
        t.equal(passwords.size, 0, strategy)
      }
    }
  ],
  [
    'Q10',
    'a provider with verifiesEmail states that an address is unverified, and not with the boolean false',
    async (t) => {
      for (const email_verified of ['false', 'False', '0', 0, 'no']) {
        const started = await start(t, { demo: { verifiesEmail: true } })
        const { id } = await createUser(started)
        await started.app.postern.invite(id, { expiresIn: 60 })
        await signInAtIssuer(started, started.browser, { ...mallory, email, email_verified })
        t.same(await getAccounts(started, id), [], JSON.stringify(email_verified))
        t.equal(await isVerified(started, id), false)
      }
    }
  ],
  [
    'Q11',
    'a Kelvin sign in an address becomes the letter k',
    async (t) => {
      const started = await start(t, { demo: { allowDangerousEmailAccountLinking: true } })
      const { id } = await createUser(started, { email: 'mark@example.com', emailVerified: new Date(0) })
      await signInAtIssuer(started, started.browser, { ...mallory, email: 'mar\u212a@example.com' })
      t.same(await getAccounts(started, id), [])
    }
  ]
]
