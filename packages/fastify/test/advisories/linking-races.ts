import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter } from '@postern/core'
import credentials from '@postern/core/providers/credentials'
import { type Browser, type BrowserResponse, createIssuer, type Person } from '@postern/testkit'
import { callNumbers, some } from '@postern/testkit/long'
import {
  demoIssuer,
  fromAfar,
  getSession,
  mails,
  origin,
  type Started,
  type StartOptions,
  signInAtIssuer,
  signInByForm,
  signInByMail,
  start
} from '../start.ts'
import { withoutTransactions } from '../store-probe.ts'
import {
  addAccount,
  combinations,
  createPause,
  createUser,
  email,
  getAccounts,
  getUser,
  isRefused,
  isVerified,
  key,
  mallory,
  pauseAtCall,
  pauseIn,
  plantTrojan,
  type Strategy,
  someStores,
  someStrategies,
  stores,
  strategies
} from './linking-setup.ts'
import type { Replay } from './replay.ts'

const open = (browser: Browser, url: string): Promise<BrowserResponse> => browser.open(url, { headers: fromAfar })

/** A form whose passwords the application deletes if their user is claimed. */
function passwordForm(authorizing: () => Promise<unknown> = async () => undefined) {
  const passwords = new Map<string, string>()
  const form = credentials({
    credentials: { username: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
    authorize: async ({ username }) => {
      const id = passwords.get(username)
      await authorizing()
      return id === undefined ? null : { id, email }
    }
  })
  return { form, passwords, events: { claimUser: () => passwords.clear() } }
}

interface Race {
  readonly started: Started
  /** The attacker, or the user who signs in while something is removed. */
  readonly attacker: Browser
  readonly userId: string
}

/** A sign-in that is prepared up to its last request. */
type Prepare = (race: Race) => Promise<() => Promise<unknown>>

async function prepareAtIssuer({ issuer }: Started, browser: Browser, person: Person) {
  const { location } = await browser.submit('/api/auth/signin/demo', { link: 'true' })
  const callback = await issuer.authorize(location ?? '', person)
  return () => open(browser, callback)
}

const attacks: Readonly<Record<'known' | 'link' | 'form' | 'first', Prepare>> = {
  known: ({ started, attacker }) => prepareAtIssuer(started, attacker, mallory),
  link: async ({ started, attacker }) => {
    await signInAtIssuer(started, attacker, mallory)
    return prepareAtIssuer(started, attacker, { ...mallory, sub: 'second' })
  },
  form:
    async ({ attacker }) =>
    () =>
      signInByForm(attacker, 'mallory'),
  first: ({ started, attacker }) =>
    prepareAtIssuer(started, attacker, { ...mallory, sub: 'first', email, email_verified: false })
}

type Attack = keyof typeof attacks

/** How a sign-in, an account or a user ends. */
const removals: Readonly<Record<'claim' | 'unlink' | 'delete', Prepare>> = {
  claim: async ({ started }) => {
    await started.browser.submit('/api/auth/signin/email', { email })
    const { url } = started.mailbox.last()
    return () => open(started.browser, url)
  },
  unlink:
    async ({ started, userId }) =>
    () =>
      started.app.postern.unlink(userId, key('mallory')),
  delete:
    async ({ started, userId }) =>
    async () =>
      started.app.postern.deleteUser(userId || ((await getUser(started))?.id ?? ''))
}

type Removal = keyof typeof removals

interface Interleaving {
  readonly strategy: Strategy
  readonly openStore: () => Adapter
  readonly attack: Attack
  readonly removal: Removal
  /** Which of the two is interrupted by the other. */
  readonly outer: 'attack' | 'removal'
}

interface Interleaved {
  /** The call that the inner request ran before; `null` if the outer request has fewer calls. */
  readonly method: string | null
  readonly isInside: boolean
  readonly faults: readonly string[]
}

/** Runs the inner request as a whole before one call of the outer one. */
async function interleave(
  t: Parameters<typeof start>[0],
  { strategy, openStore, attack, removal, outer }: Interleaving,
  at: number
): Promise<Interleaved> {
  const { state, adapter } = pauseAtCall(openStore(), at)
  const { form, passwords, events } = passwordForm()
  const options: StartOptions = { adapter, events, session: { strategy }, rateLimit: false, instances: 1 }
  const issuer = createIssuer({ redirectUris: [`${origin}/api/auth/callback/demo`] })
  const providers = [demoIssuer(issuer), mails(), form]
  const runtime = { now: Date.now, fetch: (url: string, init: RequestInit) => issuer.fetch(url, init) }
  const started = { ...(await start(t, { ...options, providers, runtime })), issuer }
  const hasUser = attack !== 'first'
  const userId = hasUser ? (await createUser(started)).id : ''
  if (hasUser) {
    await addAccount(started, userId, 'mallory')
    if (removal === 'unlink') await addAccount(started, userId, 'other')
    passwords.set('mallory', userId)
  }
  const attacker = started.newBrowser()
  const race = { started, attacker, userId }
  const runAttack = await attacks[attack](race)
  const runRemoval = await removals[removal](race)
  const [first, second] = outer === 'attack' ? [runAttack, runRemoval] : [runRemoval, runAttack]
  const inner: { error: unknown } = { error: null }
  state.pause.during = async () => {
    await second().catch((error: unknown) => {
      inner.error = error
    })
  }
  state.isCounting = true
  await first()
  state.isCounting = false
  const user = await getUser(started)
  const accounts = await getAccounts(started, user?.id ?? userId)
  const isInside = (await getSession(attacker)).user?.email === email
  const isRemoved =
    inner.error === null && (removal !== 'claim' || (await getSession(started.browser)).user !== undefined)
  const faults = [
    ...(isInside && isRemoved && (removal !== 'delete' || !user) ? ['the attacker is signed in'] : []),
    ...(removal === 'claim' && isRemoved && accounts.length > 0 ? [`linked: ${accounts}`] : []),
    ...(removal === 'delete' && !user && accounts.length > 0 ? [`orphaned: ${accounts}`] : []),
    ...(removal === 'claim' && !isRemoved ? ['the owner is not signed in'] : [])
  ]
  return { method: state.pause.ran ? state.method : null, isInside, faults }
}

async function exploreInterleavings(
  t: Parameters<Replay[2]>[0],
  pairs: readonly (readonly [Attack, Removal])[],
  outer: 'attack' | 'removal'
): Promise<void> {
  const all = pairs.flatMap(([attack, removal]) =>
    strategies.flatMap((strategy) =>
      [stores[0], stores[2]]
        .filter((entry) => entry !== undefined)
        .map(([name, openStore]) => ({ attack, removal, strategy, name, openStore }))
    )
  )
  const walked = some(all, ({ attack, removal, strategy, name }) => [`${attack} ${removal}`, strategy, name], 1)
  for (const { attack, removal, strategy, name, openStore } of walked) {
    for (const at of callNumbers(16)) {
      const result = await interleave(t, { strategy, openStore, attack, removal, outer }, at)
      if (result.method === null) {
        if (outer === 'attack') t.ok(result.isInside, `${attack} alone works`)
        break
      }
      t.same(result.faults, [], `${strategy}, ${name}, ${attack} and ${removal}, before ${at} ${result.method}`)
    }
  }
}

/** Attacks that overlap a claim, a removal or another sign-in. */
export const linkingRaces: readonly Replay[] = [
  [
    'Q1',
    'the address of a user changes while another address is proved: the new one counts as verified without a proof',
    async (t) => {
      const cases = combinations(['claimUser', 'remember']).flatMap((combination) =>
        (['mail', 'linked', 'invitation'] as const).map((how) => ({ ...combination, how }))
      )
      for (const { strategy, pausePoint: point, open: openStore, label, how } of cases) {
        // JWT sessions: the writes are committed before `remember` runs. A linked account claims no one.
        const isLate = point === 'remember' && (strategy === 'jwt' || label.includes('without'))
        if (isLate || (point === 'claimUser' && how === 'linked')) continue
        const { pause, options } = pauseIn(point, strategy)
        const demo = { verifiesEmail: how === 'invitation' }
        const started = await start(t, { ...options, adapter: openStore(), demo })
        const { id } = await createUser(started, { email: 'mallory@example.com' })
        if (how === 'linked') await addAccount(started, id, 'mallory')
        if (how === 'invitation') await started.app.postern.invite(id, { expiresIn: 60 })
        pause.during = async () => started.adapter?.updateUser?.({ id, email, emailVerified: null })
        const attacker = started.newBrowser()
        if (how === 'mail') await signInByMail(started, attacker, 'mallory@example.com')
        else await signInAtIssuer(started, attacker, mallory)
        t.ok(pause.ran)
        t.equal(await isVerified(started, id), false, `${label}, ${how}`)
        if (how === 'invitation') t.same(await getAccounts(started, id), [], 'the invitation was for the old address')
        await signInByMail(started, started.browser, email)
        t.match(await getSession(started.browser), { user: { email } }, 'the victim is signed in')
        if (how === 'mail') t.same(await getSession(attacker), {}, 'the attacker is not')
      }
    }
  ],
  [
    'Q2',
    'an attacker links a second account while the listener claimUser runs, and keeps it',
    async (t) => {
      for (const { strategy, pausePoint: point, open: openStore, label } of combinations(['claimUser'])) {
        const { pause, options } = pauseIn(point, strategy)
        const started = await start(t, { ...options, adapter: openStore() })
        const { attacker, userId } = await plantTrojan(started)
        pause.during = () => signInAtIssuer(started, attacker, { ...mallory, sub: 'second' })
        await signInByMail(started, started.browser, email)
        t.ok(pause.ran)
        t.same(await getAccounts(started, userId), [], label)
      }
    }
  ],
  [
    'Q3',
    'a form sign-in that was authorized before the user is claimed is completed afterwards',
    async (t) => {
      for (const { strategy, pausePoint: point, open: openStore, label } of combinations([
        'authorize',
        'signIn',
        'remember',
        'jwt'
      ] as const)) {
        const { pause, options } =
          point === 'authorize' ? { pause: createPause(), options: {} } : pauseIn(point, strategy)
        const { form, passwords, events } = passwordForm(point === 'authorize' ? pause.run : undefined)
        const providers = [mails(), form]
        const session = options.session ?? { strategy }
        const base = { rateLimit: false, instances: 1, ...options, session } as const
        const started = await start(t, { ...base, adapter: openStore(), providers, events })
        passwords.set('mallory', (await createUser(started)).id)
        const attacker = started.newBrowser()
        pause.during = () => signInByMail(started, started.browser, email)
        await signInByForm(attacker, 'mallory')
        t.ok(pause.ran)
        t.same(await getSession(attacker), {}, label)
      }
    }
  ],
  [
    'Q4',
    'a first sign-in with the address of a victim keeps its session if the user is claimed in a listener',
    async (t) => {
      for (const { strategy, pausePoint: point, open: openStore, label } of combinations([
        'createUser',
        'linkAccount'
      ])) {
        const { pause, options } = pauseIn(point, strategy)
        const started = await start(t, { ...options, adapter: openStore() })
        const attacker = started.newBrowser()
        pause.during = () => signInByMail(started, started.browser, email)
        await signInAtIssuer(started, attacker, { ...mallory, email, email_verified: false })
        t.ok(pause.ran)
        t.same(await getSession(attacker), {}, label)
        t.same(await getAccounts(started, (await getUser(started))?.id ?? ''), [], label)
      }
    }
  ],
  [
    'Q5',
    'a user is claimed or deleted, or an account is unlinked, between two calls of a sign-in',
    (t) =>
      exploreInterleavings(
        t,
        [
          ['known', 'claim'],
          ['link', 'claim'],
          ['form', 'claim'],
          ['first', 'claim'],
          ['known', 'unlink'],
          ['known', 'delete']
        ],
        'attack'
      )
  ],
  [
    'Q6',
    'an attacker signs in or links an account between two calls of a claim',
    (t) =>
      exploreInterleavings(
        t,
        [
          ['known', 'claim'],
          ['link', 'claim']
        ],
        'removal'
      )
  ],
  [
    'Q7',
    'a first sign-in that fails late deletes the user that its owner has claimed meanwhile',
    async (t) => {
      for (const strategy of someStrategies()) {
        const pause = createPause()
        const base = withoutTransactions(memoryAdapter())
        const linkAccount: Adapter['linkAccount'] = async (account) => {
          await pause.run()
          return base.linkAccount?.(account)
        }
        const started = await start(t, { adapter: { ...base, linkAccount }, session: { strategy }, rateLimit: false })
        pause.during = async () => {
          // The same account, with another address already: the paused sign-in is going to fail.
          await signInAtIssuer(started, started.newBrowser(), mallory)
          await signInByMail(started, started.browser, email)
        }
        await signInAtIssuer(started, started.newBrowser(), { ...mallory, email, email_verified: false })
        t.ok(pause.ran)
        t.ok(await getUser(started), `${strategy}: the user of the owner is there`)
        t.match(await getSession(started.browser), { user: { email } })
      }
    }
  ],
  [
    'Q8',
    'the attacker sets a new password while claimUser runs, after the application deleted the old one',
    async (t) => {
      for (const strategy of someStrategies()) {
        const passwords = new Set<string>()
        const pause = createPause()
        const events = {
          claimUser: async ({ user }: { user: { id: string } }) => {
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
    'Q9',
    'the two accounts of a user are unlinked at the same moment, and none is left',
    async (t) => {
      for (const [name, openStore] of someStores()) {
        const started = await start(t, { adapter: openStore() })
        const { id } = await createUser(started)
        for (const sub of ['a', 'b']) await addAccount(started, id, sub)
        await Promise.allSettled(['a', 'b'].map((sub) => started.app.postern.unlink(id, key(sub))))
        t.equal((await getAccounts(started, id)).length, 1, name)
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
  ],
  [
    'Q12',
    'an account joins a user of the application without an invitation, because its own first sign-in failed before',
    async (t) => {
      const started = await start(t, { adapter: withoutTransactions(memoryAdapter()) })
      const person = { ...mallory, email }
      started.store.breakDown('createUser')
      await signInAtIssuer(started, started.newBrowser(), person)
      started.store.restore()
      const { id } = await createUser(started)
      t.ok(isRefused(await signInAtIssuer(started, started.newBrowser(), person)))
      t.same(await getAccounts(started, id), [])
      t.equal(await isVerified(started, id), false)
    }
  ],
  [
    'Q13',
    'a second link that was opened at the same time claims the user again, and ends the session of the first',
    async (t) => {
      for (const { strategy, pausePoint: point, open: openStore, label } of combinations(['claimUser'])) {
        const { pause, options } = pauseIn(point, strategy)
        const started = await start(t, { ...options, adapter: openStore() })
        await plantTrojan(started)
        const other = started.newBrowser()
        pause.during = () => signInByMail(started, other, email)
        await signInByMail(started, started.browser, email)
        t.ok(pause.ran)
        t.match(await getSession(other), { user: { email } }, label)
      }
    }
  ],
  [
    'Q16',
    'an application invites a user twice at the same moment, and one call fails',
    async (t) => {
      const started = await start(t)
      const { id } = await createUser(started)
      const calls = [60, 60].map((expiresIn) => started.app.postern.invite(id, { expiresIn }))
      t.same(
        (await Promise.allSettled(calls)).map(({ status }) => status),
        ['fulfilled', 'fulfilled']
      )
    }
  ]
]
