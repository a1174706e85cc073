import type { Browser } from '@postern/testkit'
import { some } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { fromAfar, type Started, signInByForm } from '../start.ts'
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

type Steps = readonly (() => Promise<unknown>)[]

/** The browsers of both, and what they did. */
interface Stage extends Started {
  readonly attackers: readonly [Browser, Browser]
  readonly owner: Browser
  /** The user that the owner has proved to be. */
  ownerId: string | null
}

/** Creates a user with the address of somebody else, links an account to it, and signs in again. */
const attackers: Readonly<Record<string, (stage: Stage) => Steps>> = {
  'a provider account with an unverified address': (stage) => {
    const [first, second] = stage.attackers
    const person = { ...mallory, email: address, email_verified: false }
    return [
      () => signIn(stage, first, person, { provider: 'loose' }),
      ...linkSteps(stage, first),
      () => signIn(stage, second, person, { provider: 'loose' })
    ]
  },
  'a form that verifies no address': (stage) => {
    const [first, second] = stage.attackers
    return [() => signInByForm(first, 'vera'), ...linkSteps(stage, first), () => signInByForm(second, 'vera')]
  }
}

/** Links a second account in two steps, so that the owner can act between them. */
function linkSteps(stage: Stage, browser: Browser): Steps {
  let finish: () => Promise<unknown> = async () => undefined
  const person = { ...mallory, sub: 'mallory-2' }
  return [
    async () => {
      finish = (await begin(stage, browser, person, { link: 'true' })).finish
    },
    () => finish()
  ]
}

/** Proves the address, and links an account. */
const owners: Readonly<Record<string, (stage: Stage) => Steps>> = {
  'opens the mailed link': (stage) => mailSteps(stage, (url) => stage.owner.open(url, { headers: fromAfar })),
  'enters the mailed code': (stage) =>
    mailSteps(stage, (_url, code) => stage.owner.submit('/api/auth/callback/email', { code })),
  'has an invitation': (stage) => [
    async () => {
      const user = await stage.adapter?.getUserByEmail?.(address)
      await stage.app.postern.invite(user?.id ?? (await signUp(stage)), { expiresIn: 60 })
    },
    () => prove(stage, () => signIn(stage, stage.owner, vera)),
    () => signIn(stage, stage.owner, { ...vera, sub: 'vera-2' }, { link: 'true' })
  ]
}

function mailSteps(stage: Stage, use: (url: string, code: string) => Promise<unknown>): Steps {
  let proof = { url: '', code: '' }
  return [
    async () => {
      await stage.owner.submit('/api/auth/signin/email', { email: address })
      const { url, code } = stage.mailbox.last()
      proof = { url, code }
    },
    () => prove(stage, () => use(proof.url, proof.code)),
    () => signIn(stage, stage.owner, vera, { link: 'true' })
  ]
}

async function prove(stage: Stage, work: () => Promise<unknown>): Promise<void> {
  await work()
  stage.ownerId = await idIn(stage.owner)
}

/** Every order in which two sequences of these lengths can be run: `true` is a step of the first. */
function getOrders(first: number, second: number): readonly (readonly boolean[])[] {
  if (first === 0) return [Array.from({ length: second }, () => false)]
  if (second === 0) return [Array.from({ length: first }, () => true)]
  return [
    ...getOrders(first - 1, second).map((rest) => [true, ...rest]),
    ...getOrders(first, second - 1).map((rest) => [false, ...rest])
  ]
}

/** What must hold from the proof on. */
async function check(t: Test, stage: Stage, label: string): Promise<void> {
  const { ownerId, owner, adapter } = stage
  if (ownerId === null) return
  t.equal(await idIn(owner), ownerId, `${label}: the owner stays signed in`)
  for (const browser of stage.attackers) t.not(await idIn(browser), ownerId, `${label}: the attacker is not the owner`)
  const foreign = (await accountsOf(stage, ownerId)).filter((account) => !/^demo vera/.test(account))
  t.same(foreign, [], `${label}: no account of the attacker leads to the owner`)
  t.ok((await adapter?.getUser?.(ownerId))?.emailVerified, `${label}: the address is verified`)
  for (const sub of ['vera', 'vera-2'])
    t.ok([null, ownerId].includes(await idOf(stage, sub)), `${label}: no account of the owner leads elsewhere`)
}

const orders = getOrders(4, 3)

interface Case {
  readonly attack: string
  readonly strategy: string
  readonly order: readonly boolean[]
}

/** `npm test` has each beginning and each end of an order, the long run has each order with each attack. */
const factors = ({ attack, strategy, order }: Case) => [
  `${attack}, ${strategy}`,
  order.slice(0, 3).join(),
  order.slice(-3).join()
]

for (const [proof, ownerSteps] of Object.entries(owners)) {
  t.test(
    `an attacker prepares or follows the user of an owner who ${proof}, in every order of their steps`,
    async (t) => {
      const all = Object.entries(attackers).flatMap(([attack, attackerSteps]) =>
        strategies.flatMap((strategy) => orders.map((order) => ({ attack, attackerSteps, strategy, order })))
      )
      for (const { attack, attackerSteps, strategy, order } of some(all, factors, 1)) {
        const started = await startAccounts(t, { session: { strategy }, demo: { verifiesEmail: true } })
        const { newBrowser } = started
        const stage: Stage = { ...started, attackers: [newBrowser(), newBrowser()], owner: newBrowser(), ownerId: null }
        const label = `${strategy}, ${attack}, ${order.map((isAttacker) => (isAttacker ? 'A' : 'O')).join('')}`
        const [attacker, owner] = [attackerSteps(stage).values(), ownerSteps(stage).values()]
        for (const isAttacker of order) {
          await (isAttacker ? attacker : owner).next().value?.()
          await check(t, stage, label)
        }
        t.ok(stage.ownerId, `${label}: the owner is signed in`)
        t.ok((await accountsOf(stage, stage.ownerId ?? '')).length > 0, `${label}: the owner has an account`)
      }
    }
  )
}
