import { memoryAdapter } from '@postern/adapters/memory'
import { inTurn, turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { fromAfar, type Started, signInByForm, signInByMail } from '../start.ts'
import { alone, link } from './link-faults.ts'
import { choose, overlapEverywhere, startOverlap } from './session-setup.ts'
import { accountsOf, begin, idIn, type Strategy, signIn, strategies } from './setup.ts'

// The owner of an address takes over the user that a stranger has created, and uses it.

const turns = turnsOf(strategies, t)

const email = 'new@example.com'

/** Whose address it is. */
const owner = { sub: 'new', name: 'New', email, email_verified: true }

/** The same person at a provider that does not say whether it is. */
const unproven = { ...owner, email_verified: false }

/** Who states the same address, and has not proven it. */
const stranger = { sub: 'stranger', name: 'M', email, email_verified: false }

/** Another account of the owner, whose provider states the address only. */
const ownOther = { ...unproven, sub: 'other' }

const idByEmail = async ({ adapter }: Started): Promise<string> => (await adapter?.getUserByEmail?.(email))?.id ?? ''

/** Signs in in a new browser. @returns The id of the user, or `null`. */
async function signInLate(
  started: Started,
  person: typeof owner,
  options?: Parameters<typeof begin>[3]
): Promise<string | null> {
  const late = started.newBrowser()
  await signIn(started, late, person, options)
  return idIn(late)
}

const kinds = ['transact', 'createUserWithAccount', 'one row after the other'] as const
type Kind = (typeof kinds)[number]
const someKinds = inTurn(kinds)

/** Drops what an adapter of a kind does not have. */
function toKind(adapter: Parameters<typeof choose>[0], kind: Kind) {
  const { createUserWithAccount, ...plain } = choose(adapter, kind === 'transact')
  return kind !== 'one row after the other' && createUserWithAccount ? { ...plain, createUserWithAccount } : plain
}

async function startKind(t: Test, kind: Kind, strategy: Strategy, options: Parameters<typeof startOverlap>[2] = {}) {
  const memory = memoryAdapter()
  const started = await startOverlap(t, toKind(memory, kind), { session: { strategy }, ...options })
  /** What the application writes about the user. */
  const setAddress = (id: string, address: string, isVerified: boolean) =>
    memory.updateUser({ id, email: address, emailVerified: isVerified ? new Date(started.clock.now()) : null })
  return { started, setAddress }
}

for (const signedIn of ['link', 'confirm'] as const)
  for (const { value: strategy, test } of turns())
    test(`${strategy}, ${signedIn}: the owner connects accounts, and the address changes`, async (t) => {
      for (const kind of someKinds()) {
        const { started, setAddress } = await startKind(t, kind, strategy, { linking: { signedIn } })
        const [own, next] = [started.newBrowser(), started.newBrowser()]
        await signIn(started, started.newBrowser(), stranger)
        const id = await idByEmail(started)
        await signInByMail(started, own, email)
        t.equal(await idIn(own), id)
        t.strictSame(await accountsOf(started, id), [], 'no account of the stranger is left')
        await signIn(started, own, owner, { link: 'true' })
        await signIn(started, own, ownOther, link)
        t.equal(await signInLate(started, ownOther, alone), id, 'connected')
        t.equal(await signInLate(started, unproven), id, 'connected, unproven now')
        await setAddress(id, 'two@example.com', true)
        t.equal(await signInLate(started, ownOther, alone), id, 'after a change of the address')
        await setAddress(id, 'three@example.com', false)
        t.equal(await signInLate(started, ownOther, alone), id, 'after one to an address that nobody has proven')
        await signInByMail(started, next, 'three@example.com')
        t.equal(await idIn(next), id)
        t.strictSame(await accountsOf(started, id), [], 'the first person who proves it gets the user')
      }
    })

for (const { value: strategy, test } of turns())
  test(`${strategy}: accounts join the user whom the owner has taken over`, async (t) => {
    for (const kind of someKinds()) {
      const { started, setAddress } = await startKind(t, kind, strategy, {
        loose: { allowDangerousEmailAccountLinking: true, verifiesEmail: true }
      })
      await signIn(started, started.newBrowser(), stranger)
      const id = await idByEmail(started)
      await signInByMail(started, started.newBrowser(), email)
      t.equal(await signInLate(started, owner, alone), id, 'by the address')
      t.equal(await signInLate(started, unproven, alone), id, 'and signs in later, unproven')
      await setAddress(id, 'invited@example.com', false)
      await started.app.postern.invite(id, { expiresIn: 3600 })
      const invited = { sub: 'invited', name: 'I', email: 'invited@example.com', email_verified: true }
      t.equal(await signInLate(started, invited, alone), id, 'by an invitation')
      t.equal(await signInLate(started, { ...invited, email_verified: false }, alone), id, 'and signs in later')
    }
  })

t.test('the account of a form ends with the stranger, and the owner connects it again', async (t) => {
  const { started } = await startKind(t, 'transact', 'database')
  const [first, own, late] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
  const address = 'vera@example.com'
  await signInByForm(first, 'vera')
  const id = await idIn(first)
  started.clock.advance(1)
  await signInByMail(started, own, address)
  t.equal(await idIn(own), id)
  t.equal(await idIn(first), null)
  started.clock.advance(1)
  await signInByForm(late, 'vera')
  t.equal(await idIn(late), null, 'the stranger')
  await signInByForm(own, 'vera')
  await signInByForm(late, 'vera')
  t.equal(await idIn(late), id, 'after the owner has connected it')
})

for (const { value: strategy, test } of turns())
  test(`${strategy}: anywhere within a reclaim the stranger signs in and links accounts: none is left`, async (t) => {
    for (const kind of someKinds()) {
      const { problems } = await overlapEverywhere(async (adapter) => {
        const started = await startOverlap(t, toKind(adapter, kind), { session: { strategy } })
        const [first, late, own] = [started.newBrowser(), started.newBrowser(), started.newBrowser()]
        await signIn(started, first, stranger)
        const id = await idByEmail(started)
        const { finish } = await begin(started, first, { ...stranger, sub: 'second' }, link)
        const inner = async () => {
          await finish()
          await signIn(started, late, stranger)
          if ((await idIn(late)) === id) await signIn(started, late, { ...stranger, sub: 'third' }, link)
        }
        const check = async () => {
          if ((await idIn(own)) !== id) await signInByMail(started, own, email)
          const ids = [await idIn(own), await idIn(first), await idIn(late), await signInLate(started, stranger)]
          const accounts = await accountsOf(started, id)
          return ids[0] === id && ids.indexOf(id, 1) === -1 && accounts.length === 0 ? null : `${ids}, ${accounts}`
        }
        return { started, outer: () => signInByMail(started, own, email), inner, check }
      })
      t.strictSame(problems, [], kind)
    }
  })

t.test('adapter-1: a reclaim is refused while the adapter does not remove the accounts of others', async (t) => {
  const { createUserWithAccount: _, ...plain } = choose(memoryAdapter(), false)
  let isBroken = true
  const unlinkAccount: typeof plain.unlinkAccount = async (key) => (isBroken ? undefined : plain.unlinkAccount?.(key))
  const started = await startOverlap(t, { ...plain, unlinkAccount }, { session: { strategy: 'database' } })
  const own = started.newBrowser()
  await signIn(started, started.newBrowser(), stranger)
  const id = (await started.adapter?.getUserByEmail?.(email))?.id ?? ''
  const { location } = await signInByMail(started, own, email)
  t.match(location, /error=OAuthAccountNotLinked/)
  t.equal(await idIn(own), null)
  t.equal((await started.adapter?.getUser?.(id))?.emailVerified, null)
  isBroken = false
  await signInByMail(started, own, email)
  t.equal(await idIn(own), id)
  t.strictSame(await accountsOf(started, id), [])
})

for (const strategy of strategies)
  t.test(`overlap-1: ${strategy}: the address changes while its owner reclaims the user`, async (t) => {
    const memory = memoryAdapter()
    let before: (() => Promise<unknown>) | null = null
    const transact: typeof memory.transact = async (calls) => {
      const change = before
      before = null
      await change?.()
      return memory.transact?.(calls) ?? false
    }
    const started = await startOverlap(t, { ...memory, transact }, { session: { strategy } })
    const [own, other] = [started.newBrowser(), started.newBrowser()]
    await signIn(started, started.newBrowser(), stranger)
    const id = (await memory.getUserByEmail?.(email))?.id ?? ''
    // What an application writes by itself when a stranger confirms another address.
    const changed = { id, email: 'm@evil.test', emailVerified: new Date(started.clock.now()) }
    await started.newBrowser().submit('/api/auth/signin/email', { email })
    before = async () => memory.updateUser?.(changed)
    await own.open(started.mailbox.last().url, { headers: fromAfar })
    await signInByMail(started, other, 'm@evil.test')
    t.equal(await idIn(other), id, 'the user has the other address')
    t.not(await idIn(own), id, 'and nobody signs in by the one before')
  })
