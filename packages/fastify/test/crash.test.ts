import { isLong, some, times } from '@postern/testkit/long'
import t from 'tap'
import {
  type Kind,
  methods,
  openStage,
  type ProcessSlot,
  type SignInMethod,
  type Stage,
  stores,
  type Visitor
} from './crash-stage.ts'
import { postgresPort, withoutServer } from './databases.ts'
import type { FailPoint } from './fail-points.ts'

/** Of each kind on each store. */
const kills = times(1, 50)
// @first: the tests wait for time limits and connections.

t.setTimeout(isLong ? 0 : 1_200_000)

/** The moments that a sign-in passes, in their order. */
const moments: readonly (readonly [kind: Kind, way: SignInMethod, points: readonly FailPoint[]])[] = [
  ...methods.map((method): (typeof moments)[number] => [
    'transactional',
    method,
    ['before-commit', 'after-commit', 'before-answer']
  ]),
  ['one by one', 'the provider', ['after-account', 'after-session', 'before-answer']],
  ['one by one', 'the form', ['after-account', 'after-session', 'before-answer']],
  ['as others', 'the link', ['before-consume', 'after-consume', 'after-user', 'after-session', 'before-answer']],
  ['as others', 'the provider', ['after-account', 'after-session', 'before-answer']],
  ['as others', 'the form', ['after-account', 'after-session', 'before-answer']]
]

/** In `npm test` each kind, each method and each moment is killed once; in the long run each method of a kind at each moment. */
const killedAt = some(
  moments.flatMap(([kind, method, points]) => points.map((point) => ({ kind, method, point }))),
  ({ kind, method, point }) => [kind, method, point],
  1
)

/** What a visitor does whose connection was cut: a link is opened again; then everything begins again. */
async function resume(
  { hasSessionFor }: Stage,
  { results, signInMethod: method, name, ...visitor }: Visitor
): Promise<'burnt' | null> {
  if (results.at(-1) !== 'cut') return null
  const again = method === 'the link' ? await visitor.openAgain() : null
  const hasSession = await hasSessionFor(name)
  if (results.at(-1) !== 'session') await visitor.signIn()
  return again === 'error Verification' && !hasSession ? 'burnt' : null
}

/** What shares one healthy process afterwards: the cases of a kind, in the long run those of a kind and a method. */
const getStage = ({ kind, method }: (typeof killedAt)[number]): string => (isLong ? `${kind}, ${method}` : kind)

/** Such an adapter neither writes both rows at once nor removes what others may have added: the user stays until they are deleted. */
const unrepairable = { kind: 'as others', method: 'the provider', point: 'after-user' } as const

for (const stageTitle of new Set(killedAt.map(getStage))) {
  const killings = [...killedAt, unrepairable].filter((one) => getStage(one) === stageTitle)
  t.test(`${stageTitle}: a process that is killed in the middle loses, doubles and locks out no one`, async (t) => {
    const [{ kind } = { kind: 'transactional' as const }] = killings
    const stage = await openStage(t, { kind })
    const crashing = await stage.begin({ instance: null })
    const cases = []
    // Each user waits at a point when the process is killed.
    for (const killing of killings) {
      const { method, point } = killing
      const slot: ProcessSlot = { instance: crashing, failPoint: point }
      const name = `${point}-by-${method.slice(4)}`
      const title = `${method}, ${point}`
      const visitor = stage.visitor(slot, name, method)
      const reached = crashing.nextReached()
      const result = visitor.signIn()
      await Promise.race([
        reached,
        result.then((found) => Promise.reject(new Error(`${title}: not reached: ${found}`)))
      ])
      cases.push({ killing, method, name, processSlot: slot, result, title, visitor })
    }
    crashing.process.kill('SIGKILL')
    t.same(await crashing.ended, [null, 'SIGKILL'])
    const healthy = await stage.begin({ instance: null })
    for (const { killing, method, name, processSlot: slot, result, title, visitor } of cases) {
      t.equal(await result, 'cut', title)
      slot.instance = healthy
      slot.failPoint = null
      if (killing === unrepairable) {
        t.equal(await visitor.signIn(), 'error OAuthAccountNotLinked', `${title}: refused at the provider`)
        t.equal(
          await stage.visitor(slot, name, 'the link').signIn(),
          'error OAuthAccountNotLinked',
          `${title}: by email`
        )
        await stage.deleteUser(name)
        t.equal(await visitor.signIn(), 'session', `${title}: after the user was deleted`)
        continue
      }
      if (method === 'the link') {
        const hasSession = await stage.hasSessionFor(name)
        const again = await visitor.openAgain()
        const isUsed = again === 'error Verification'
        t.ok(isUsed || again === 'session', `${title}: the link again: ${again}`)
        if (kind === 'transactional') t.equal(isUsed, hasSession, `${title}: used where it made a session`)
      }
      if (visitor.results.at(-1) !== 'session') t.equal(await visitor.signIn(), 'session', `${title}: again`)
    }
    const hasLinks = cases.some(({ method }) => method === 'the link')
    const isRefused = killings.includes(unrepairable)
    await stage.settle({ instance: healthy }, stageTitle, [
      ...(hasLinks ? ['error Verification'] : []),
      ...(isRefused ? ['error OAuthAccountNotLinked'] : [])
    ])
    healthy.process.kill('SIGTERM')
    t.same(await healthy.ended, [0, null])
  })
}

/** Visitors who sign in one after the other, in several browsers at once, until the process no longer exists. */
async function load(
  stage: Stage,
  slot: ProcessSlot,
  round: number,
  until: Promise<unknown>
): Promise<readonly Visitor[]> {
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const visitors: Visitor[] = []
  const queue = async (method: SignInMethod, index: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const visitor = stage.visitor(slot, `v${round}-${index}-${count}`, method)
      visitors.push(visitor)
      const result = await visitor.signIn()
      if (result === 'session' && !isOver) await visitor.signIn()
    }
  }
  await Promise.all([...methods, ...methods].map(queue))
  return visitors
}

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)
const killed = (['transactional', 'one by one'] as const)
  .flatMap((kind) => stores.map((store) => ({ kind, store, skip: store === 'PostgreSQL' && withoutPostgres })))
  .filter(({ kind, store }) => isLong || (kind === 'transactional' && store === 'PostgreSQL'))

for (const { kind, store, skip } of killed) {
  const title = `${kind}, ${store}: ${kills} kills`
  t.test(`${title} under load lose, double and lock out no one`, { skip }, async (t) => {
    const stage = await openStage(t, { kind, store })
    const slot: ProcessSlot = { instance: null }
    const users: Visitor[] = []
    let cut = 0
    let consumed = 0
    const resumeAll = async (visitors: readonly Visitor[]): Promise<void> => {
      const results = await Promise.all(visitors.map((visitor) => resume(stage, visitor)))
      consumed += results.filter((result) => result === 'burnt').length
    }
    // The next process starts while the one before is under load; every third starts where none is left.
    let next = stage.begin(slot)
    for (let round = 0; round < kills; round++) {
      const instance = await next
      slot.instance = instance
      const waiting = users.filter(({ results }) => results.at(-1) === 'cut')
      await resumeAll(waiting)
      await Promise.all(waiting.map(({ browser }) => browser.open('/api/auth/session')))
      const isFollowed = round % 3 < 2
      if (isFollowed) next = stage.begin({ instance: null })
      setTimeout(() => instance.process.kill('SIGKILL'), 50 + Math.random() * 200)
      const visitors = await load(stage, slot, round, instance.ended)
      if (!isFollowed) next = stage.begin({ instance: null })
      cut += visitors.filter(({ results }) => results.at(-1) === 'cut').length
      users.push(...visitors)
    }
    const last = await next
    slot.instance = last
    await resumeAll(users)
    await stage.settle(slot, title, ['error Verification'])
    t.ok(cut >= kills, 'every kill cut a user')
    if (kind === 'transactional') t.equal(consumed, 0, 'a link is used where it made a session')
    last.process.kill('SIGTERM')
    t.same(await last.ended, [0, null])
    console.log(`${title}, ${cut} sign-ins cut, ${consumed} links consumed without a session, and reported`)
  })
}
