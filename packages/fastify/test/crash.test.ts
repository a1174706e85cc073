import t, { type Test } from 'tap'
import {
  addressOf,
  findings,
  type Kind,
  openStage,
  type Place,
  rowsOf,
  type Stage,
  type Visitor,
  type Way,
  ways
} from './crash-stage.ts'

/** `POSTERN_LONG=1` for two hundred kills. */
const isLong = Boolean(process.env['POSTERN_LONG'])
const kills = isLong ? 200 : 10
t.setTimeout(isLong ? 0 : 300_000)

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
async function goOn({ file }: Stage, visitor: Visitor): Promise<'burnt' | null> {
  const { ledger, way, name } = visitor
  if (ledger.at(-1) !== 'cut') return null
  const again = way === 'the link' ? await visitor.openAgain() : null
  const { users, sessions } = rowsOf(file)
  const user = users.find(({ email }) => email === addressOf(name))
  if (ledger.at(-1) !== 'session') await visitor.signIn()
  return again === 'error Verification' && !sessions.some(({ userId }) => userId === user?.id) ? 'burnt' : null
}

async function checkSignedIn(t: Test, { browser, name, ledger }: Visitor): Promise<void> {
  t.match(
    await browser.json('/api/auth/session'),
    { user: { email: addressOf(name) } },
    `${name}: ${ledger.join(', ')}`
  )
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
    const { users, sessions } = rowsOf(stage.file)
    const healthy = await stage.begin({ instance: null })
    for (const { point, place, visitor } of cases) {
      place.instance = healthy
      if (way === 'the link') {
        const again = await visitor.openAgain()
        const isUsed = again === 'error Verification'
        t.ok(isUsed || again === 'session', `${point}: the link once more: ${again}`)
        const user = users.find(({ email }) => email === addressOf(point))
        const hasSession = sessions.some(({ userId }) => userId === user?.id)
        if (kind === 'transactional') t.equal(isUsed, hasSession, `${point}: used where it made a session`)
      }
      if (visitor.ledger.at(-1) !== 'session') t.equal(await visitor.signIn(), 'session', `${point}: once more`)
      await checkSignedIn(t, visitor)
    }
    const visitors = cases.map(({ visitor }) => visitor)
    t.same(findings(stage.file, visitors), [])
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
  t.equal(rowsOf(stage.file).users.length, 1)
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

for (const kind of ['transactional', 'one by one'] as const) {
  t.test(`${kind}: ${kills} kills under load lose, double and lock out nobody`, async (t) => {
    const stage = await openStage(t, { kind })
    const place: Place = { instance: null }
    const everybody: Visitor[] = []
    let cut = 0
    let burnt = 0
    const allGoOn = async (visitors: readonly Visitor[]): Promise<void> => {
      const answers = await Promise.all(visitors.map((visitor) => goOn(stage, visitor)))
      burnt += answers.filter((answer) => answer === 'burnt').length
    }
    for (let round = 0; round < kills; round++) {
      const instance = await stage.begin(place)
      const waiting = everybody.filter(({ ledger }) => ledger.at(-1) === 'cut')
      await allGoOn(waiting)
      for (const visitor of waiting) await checkSignedIn(t, visitor)
      setTimeout(() => instance.process.kill('SIGKILL'), 100 + Math.random() * 400)
      const visitors = await load(stage, place, round, instance.ended)
      cut += visitors.filter(({ ledger }) => ledger.at(-1) === 'cut').length
      everybody.push(...visitors)
    }
    const last = await stage.begin(place)
    await allGoOn(everybody)
    for (const visitor of everybody) if (visitor.ledger.includes('session')) await checkSignedIn(t, visitor)
    t.same(findings(stage.file, everybody), [])
    const errors = everybody.flatMap(({ ledger }) => ledger).filter((told) => told.startsWith('error'))
    t.same(
      errors.filter((told) => told !== 'error Verification'),
      [],
      'nobody else was turned away'
    )
    t.ok(cut >= kills, 'every kill cut somebody')
    if (kind === 'transactional') t.equal(burnt, 0, 'a link is used where it made a session')
    last.process.kill('SIGTERM')
    t.same(await last.ended, [0, null])
    const how = isLong ? '' : ' (POSTERN_LONG=1 for 200)'
    console.log(
      `${kind}: ${kills} kills${how}, ${everybody.length} visitors, ${cut} cut, ${errors.length} told that a link was used`
    )
  })
}
