import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, AdapterUser } from '@postern/core'
import type { Browser } from '@postern/testkit'
import { turnsOf } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import {
  type AccountApplication,
  ada,
  createUser,
  first,
  openAccountApplication,
  signIn,
  strategies
} from './account-application.ts'
import {
  askForEmail,
  changeEmail,
  emailPath,
  getEmail,
  getId,
  getMail,
  getToken,
  getUndoUrl,
  grace,
  isSignedIn,
  settle,
  undo,
  undoSubject
} from './email-application.ts'
import { copy } from './second-factor-stage.ts'
import { stores } from './stores.ts'

const wanted = 'wanted@example.com'

/** A user and the browser that is signed in. */
interface Person {
  readonly browser: Browser
  readonly id: string
}

/** An adapter whose users may have the same address, and that makes one write after another. */
function withoutUniqueAddresses(): Adapter {
  const { transact: _, createUserWithAccount: _together, ...adapter } = memoryAdapter()
  const emails = new Map<string, string | null>()
  const withEmail = (user: AdapterUser): AdapterUser =>
    emails.has(user.id) ? { ...user, email: emails.get(user.id) ?? null } : user
  return {
    ...adapter,
    getUser: async (id) => {
      const user = await adapter.getUser?.(id)
      return user ? withEmail(user) : null
    },
    getUserByEmail: async (email) => {
      for (const [id, own] of emails)
        if (own === email) return { ...(await adapter.getUser?.(id)), email } as AdapterUser
      const user = await adapter.getUserByEmail?.(email)
      return user && !emails.has(user.id) ? user : null
    },
    updateUser: async ({ email, ...user }) => {
      if (email !== undefined) emails.set(user.id, email)
      return withEmail((await adapter.updateUser?.(user)) as AdapterUser)
    }
  }
}

const all: typeof stores = [
  ...stores,
  ['without unique addresses', false, async () => withoutUniqueAddresses()] as const
]

/** In `npm test` a test has one strategy on a store, and the other one on the next; in the long run each has both. */
const turns = turnsOf(strategies, t)

/** Of users who confirm one address at once, one gets it. */
async function raceForAddress(t: Test, app: AccountApplication): Promise<void> {
  const users = []
  for (const address of ['one@example.com', 'two@example.com']) {
    const browser = await createUser(app, address)
    await askForEmail(browser, wanted)
    users.push({ browser, id: await getId(app, address), token: getToken(getMail(app, wanted).url) })
  }
  const responses = await Promise.all(
    users.map(({ browser, token }) => browser.submit(`${emailPath}/confirm`, { token }))
  )
  const emails = await Promise.all(users.map(({ id }) => getEmail(app, id)))
  t.equal(emails.filter((email) => email === wanted).length, 1, 'one user gets the address')
  t.match(
    emails.find((email) => email !== wanted),
    /one|two/,
    'the other one keeps theirs'
  )
  const loser = users.find((_, index) => emails[index] !== wanted)
  const { token = '' } = loser ?? {}
  t.equal((await loser?.browser.submit(`${emailPath}/confirm`, { token }))?.status, 409, 'also in another attempt')
  t.not(await getEmail(app, loser?.id ?? ''), wanted)
  t.same(
    responses.map(({ location }) => location !== null),
    emails.map((email) => email === wanted)
  )
}

const countEvents = async ({ adapter }: AccountApplication, userId: string, named: string): Promise<number> =>
  ((await adapter.listEvents?.({ userId, limit: 100 })) ?? []).filter(({ type }) => type === named).length

/** Links are used exactly once. */
async function useTwice(t: Test, app: AccountApplication, { browser, id }: Person): Promise<void> {
  await askForEmail(browser, grace)
  const token = getToken(getMail(app, grace).url)
  await Promise.all(Array.from({ length: 6 }, () => copy(app, browser).submit(`${emailPath}/confirm`, { token })))
  t.equal(await getEmail(app, id), grace)
  t.equal(await countEvents(app, id, 'email-changed'), 1, 'one confirmation')
  await settle(() => app.mailbox.mails.some(({ subject }) => undoSubject.test(subject)))
  const url = getUndoUrl(app)
  const undone = await Promise.all(Array.from({ length: 3 }, () => undo(app.newBrowser(), url, { password: first })))
  t.equal(await getEmail(app, id), ada, undone.map(({ status }) => status).join())
  t.equal(await countEvents(app, id, 'email-undone'), 1, 'one undo')
}

/** A change that is confirmed during an undo does not survive it. */
async function confirmDuringUndo(t: Test, app: AccountApplication, { browser, id }: Person): Promise<void> {
  await signIn(browser, ada, first)
  await changeEmail(app, browser, 'thief@example.com')
  await askForEmail(browser, 'thief2@example.com')
  const token = getToken(getMail(app, 'thief2@example.com').url)
  const url = getUndoUrl(app)
  const [, undone] = await Promise.all([
    browser.submit(`${emailPath}/confirm`, { token }),
    undo(app.newBrowser(), url, { password: first })
  ])
  // The change may have been first: then the undo is repeated.
  if (undone.status === 409) t.equal((await undo(app.newBrowser(), url, { password: first })).status, 200)
  else t.equal(undone.status, 200)
  t.equal(await getEmail(app, id), ada)
  t.notOk(await isSignedIn(browser), 'the session of the thief has ended')
  t.equal((await browser.submit(`${emailPath}/confirm`, { token })).status, 403)
  const owner = app.newBrowser()
  await signIn(owner, ada, first)
  t.ok(await isSignedIn(owner))
}

for (const [name, skip, open] of all)
  for (const { value: strategy, test } of turns())
    test(`${name}, ${strategy}: links and addresses are used once, also in races`, { skip }, async (t) => {
      const app = await openAccountApplication(t, strategy, { adapter: await open(t) })
      await raceForAddress(t, app)
      const browser = await createUser(app)
      const person = { browser, id: await getId(app, ada) }
      await useTwice(t, app, person)
      await confirmDuringUndo(t, app, person)
    })
