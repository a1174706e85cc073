import t from 'tap'
import { type Kind, openStage, type Place, type Stage, stores, type Visitor, type Way, ways } from './crash-stage.ts'
import { postgresPort, withoutServer } from './databases.ts'

/** Of each kind on each store; `POSTERN_LONG=1` for two hundred. */
const isLong = Boolean(process.env['POSTERN_LONG'])
const kills = isLong ? 200 : 50
const how = isLong ? '' : ' (POSTERN_LONG=1 for 200)'
t.setTimeout(isLong ? 0 : 1_200_000)

/** The moments that a sign-in passes, in their order. */
const moments: readonly (readonly [kind: Kind, way: Way, points: readonly string[]])[] = [
  ...ways.map((way) => ['transactional', way, ['before-commit', 'after-commit', 'before-answer']] as const),
  ['one by one', 'the provider', ['after-account', 'after-session', 'before-answer']],
  ['one by one', 'the form', ['after-account', 'after-session', 'before-answer']],
  ['as others', 'the link', ['before-consume', 'after-consume', 'after-user', 'after-session', 'before-answer']],
  ['as others', 'the provider', ['after-account', 'after-session', 'before-answer']],
  ['as others', 'the form', ['after-account', 'after-session', 'before-answer']]
]

/** What a visitor does whose connection was cut: a link is opened once more; then everything begins again. */
async function goOn({ hasSessionOf }: Stage, { answers, way, name, ...visitor }: Visitor): Promise<'burnt' | null> {
  if (answers.at(-1) !== 'cut') return null
  const again = way === 'the link' ? await visitor.openAgain() : null
  const hasSession = await hasSessionOf(name)
  if (answers.at(-1) !== 'session') await visitor.signIn()
  return again === 'error Verification' && !hasSession ? 'burnt' : null
}

for (const [kind, way, points] of moments) {
  t.test(`${kind}, ${way}: a process that is killed in the middle loses, doubles and locks out nobody`, async (t) => {
    const stage = await openStage(t, { kind })
    const cases = await Promise.all(
      points.map(async (point) => {
        const place: Place = { instance: null }
        const doomed = await stage.begin(place, { POSTERN_FAILPOINT: point })
        const visitor = stage.visitor(place, point, way)
        t.equal(await visitor.signIn(), 'cut', point)
        t.same(await doomed.ended, [null, 'SIGKILL'], point)
        return { point, place, visitor }
      })
    )
    const healthy = await stage.begin({ instance: null })
    for (const { point, place, visitor } of cases) {
      place.instance = healthy
      if (way === 'the link') {
        const hasSession = await stage.hasSessionOf(point)
        const again = await visitor.openAgain()
        const isUsed = again === 'error Verification'
        t.ok(isUsed || again === 'session', `${point}: the link once more: ${again}`)
        if (kind === 'transactional') t.equal(isUsed, hasSession, `${point}: used where it made a session`)
      }
      if (visitor.answers.at(-1) !== 'session') t.equal(await visitor.signIn(), 'session', `${point}: once more`)
    }
    await stage.settle({ instance: healthy }, `${kind}, ${way}`, way === 'the link' ? ['error Verification'] : [])
    healthy.process.kill('SIGTERM')
    t.same(await healthy.ended, [0, null])
  })
}

t.test('as others: killed between user and account, somebody is told so, and let in by mail', async (t) => {
  // Such an adapter neither makes both rows at once nor says which accounts a user has: nothing can be repaired.
  const stage = await openStage(t, { kind: 'as others' })
  const place: Place = { instance: null }
  const doomed = await stage.begin(place, { POSTERN_FAILPOINT: 'after-user' })
  const visitor = stage.visitor(place, 'ada', 'the provider')
  t.equal(await visitor.signIn(), 'cut')
  await doomed.ended
  await stage.begin(place)
  t.equal(await visitor.signIn(), 'error OAuthAccountNotLinked')
  const byMail = stage.visitor(place, 'ada', 'the link')
  t.equal(await byMail.signIn(), 'session')
  await stage.settle(place, 'as others, between user and account', ['error OAuthAccountNotLinked'])
})

/** Visitors who sign in one after the other, in several browsers at once, until the process is gone. */
async function load(stage: Stage, place: Place, round: number, until: Promise<unknown>): Promise<readonly Visitor[]> {
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const visitors: Visitor[] = []
  const queue = async (way: Way, index: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const visitor = stage.visitor(place, `v${round}-${index}-${count}`, way)
      visitors.push(visitor)
      const told = await visitor.signIn()
      if (told === 'session' && !isOver) await visitor.signIn()
    }
  }
  await Promise.all([...ways, ...ways].map(queue))
  return visitors
}

const withoutPostgres = await withoutServer('PostgreSQL', postgresPort)
const killed = (['transactional', 'one by one'] as const).flatMap((kind) =>
  stores.map((store) => ({ kind, store, skip: store === 'PostgreSQL' && withoutPostgres }))
)

for (const { kind, store, skip } of killed) {
  const title = `${kind}, ${store}: ${kills} kills${how}`
  t.test(`${title} under load lose, double and lock out nobody`, { skip }, async (t) => {
    const stage = await openStage(t, { kind, store })
    const place: Place = { instance: null }
    const everybody: Visitor[] = []
    let cut = 0
    let burnt = 0
    const allGoOn = async (visitors: readonly Visitor[]): Promise<void> => {
      const answers = await Promise.all(visitors.map((visitor) => goOn(stage, visitor)))
      burnt += answers.filter((answer) => answer === 'burnt').length
    }
    // The next process starts while the one before is under load; every fifth starts where none is left.
    let next = stage.begin(place)
    for (let round = 0; round < kills; round++) {
      const instance = await next
      place.instance = instance
      const waiting = everybody.filter(({ answers }) => answers.at(-1) === 'cut')
      await allGoOn(waiting)
      await Promise.all(waiting.map(({ browser }) => browser.open('/api/auth/session')))
      const isFollowed = round % 5 < 4
      if (isFollowed) next = stage.begin({ instance: null })
      setTimeout(() => instance.process.kill('SIGKILL'), 50 + Math.random() * 200)
      const visitors = await load(stage, place, round, instance.ended)
      if (!isFollowed) next = stage.begin({ instance: null })
      cut += visitors.filter(({ answers }) => answers.at(-1) === 'cut').length
      everybody.push(...visitors)
    }
    const last = await next
    place.instance = last
    await allGoOn(everybody)
    await stage.settle(place, title, ['error Verification'])
    t.ok(cut >= kills, 'every kill cut somebody')
    if (kind === 'transactional') t.equal(burnt, 0, 'a link is used where it made a session')
    last.process.kill('SIGTERM')
    t.same(await last.ended, [0, null])
    console.log(`${title}, ${cut} sign-ins cut, ${burnt} links burnt without a session, and told so`)
  })
}
