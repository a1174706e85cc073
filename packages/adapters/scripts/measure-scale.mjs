// Measures what a session and a sign-in cost beside more and more users. Run it after `tsc -b`:
// node scripts/measure-scale.mjs sqlite|postgres [users …]
//
// The cost is CPU time: of this process (all threads), and with PostgreSQL of the server's process besides. The sizes
// take turns in each round; shown are medians of the rounds. The users are chosen at random among all.
import { randomUUID } from 'node:crypto'
import { createPostern } from '@postern/core'
import { nodeRuntime } from '@postern/core/node'
import credentials from '@postern/core/providers/credentials'
import { accountOf, places, provider, secret, storedOf, tokenOf } from './scale-places.mjs'

const [store = 'sqlite', ...given] = process.argv.slice(2)
const sizes = given.length > 0 ? given.map(Number) : [10_000, 100_000, 1_000_000]
const [rounds, repeats, warmUp] = [15, 300, 1500]
const origin = 'https://app.test'
const day = 86_400_000

const subjects = []
try {
  for (const users of sizes) subjects.push(await prepare(users))
  const times = await measure()
  for (const [what, costs] of Object.entries(times)) report(what, costs)
} finally {
  for (const { close } of subjects) await close()
}

async function prepare(users) {
  const begin = performance.now()
  const place = await places[store](users)
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  console.log(`${store}: ${users} users, ${(place.size / 2 ** 20).toFixed(0)} MB, written in ${seconds} s`)
  const way = credentials({ id: provider, credentials: {}, authorize: ({ username }) => ({ id: String(username) }) })
  const auth = createPostern({
    url: origin,
    secret,
    adapter: place.adapter,
    providers: [way],
    runtime: nodeRuntime,
    rateLimit: false,
    session: { strategy: 'database' },
    logger: { error: console.error }
  })
  const answer = await auth.fetch(new Request(`${origin}/api/auth/csrf`))
  const { csrfToken } = await answer.json()
  const csrf = answer.headers.getSetCookie()[0].split(';')[0]
  const close = () => auth.close().then(place.close)
  return { ...place, users, auth, csrf, csrfToken, close }
}

async function measure() {
  const jobs = {
    'session, a request': readSession,
    'session, its statement': ({ adapter }, number) =>
      storedOf(number).then((token) => adapter.getSessionAndUser(token)),
    'sign-in by the form, a request': signIn,
    'sign-in at a provider, its statements': write
  }
  const costs = Object.fromEntries(Object.keys(jobs).map((what) => [what, sizes.map(() => [])]))
  for (const [what, job] of Object.entries(jobs)) {
    for (const subject of subjects) await run(subject, job, warmUp)
    for (let round = 0; round < rounds; round++) {
      for (const [index, subject] of subjects.entries()) costs[what][index].push(await run(subject, job, repeats))
    }
  }
  return costs
}

/** @returns Microseconds of one time. */
async function run(subject, job, times) {
  const numbers = Array.from({ length: times }, () => Math.floor(Math.random() * subject.users))
  const [begin, serverBegin] = [process.cpuUsage(), subject.serverTime()]
  for (const number of numbers) if (!(await job(subject, number))) throw new Error(`${job.name}: no answer`)
  const { user, system } = process.cpuUsage(begin)
  return { process: (user + system) / times, server: (subject.serverTime() - serverBegin) / times }
}

async function readSession({ auth }, number) {
  const headers = { cookie: `__Secure-next-auth.session-token=${tokenOf(number)}` }
  const answer = await auth.fetch(new Request(`${origin}/api/auth/session`, { headers }))
  const { user } = await answer.json()
  return user?.name === `Person ${number}`
}

async function signIn({ auth, csrf, csrfToken }, number) {
  const body = new URLSearchParams({ csrfToken, username: accountOf(number) })
  const request = new Request(`${origin}/api/auth/callback/${provider}`, {
    method: 'POST',
    headers: { cookie: csrf },
    body
  })
  const answer = await auth.fetch(request)
  return answer.status === 302 && answer.headers.getSetCookie().some((text) => text.includes('session-token='))
}

async function write({ adapter }, number) {
  const providerAccountId = accountOf(number)
  const user = await adapter.getUserByAccount({ provider, providerAccountId })
  await adapter.updateAccount({ provider, providerAccountId, type: 'oidc', access_token: randomUUID(), expires_at: 2 })
  const [sessionToken, userId, expires] = [randomUUID(), user.id, new Date(Date.now() + 30 * day)]
  const seen = { createdAt: new Date(), lastSeen: new Date(), expires }
  const from = { provider, providerSessionId: null, userAgent: 'Mozilla/5.0', address: '192.0.2.1' }
  return adapter.createSession(
    { sessionToken, userId, expires },
    { id: randomUUID(), userId, sessionToken, ...from, ...seen }
  )
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}

function report(what, costs) {
  const [first, ...others] = costs.map((cost) => ({
    process: median(cost.map((time) => time.process)),
    server: median(cost.map((time) => time.server)),
    both: median(cost.map((time) => time.process + time.server))
  }))
  const micros = (time) => `${time.both.toFixed(0)} µs (${time.process.toFixed(0)} + ${time.server.toFixed(0)})`
  const ratios = others.map((other) => `${(other.both / first.both).toFixed(2)}×`)
  console.log(`${store}: ${what}: ${[first, ...others].map(micros).join(', ')}: ${['1.00×', ...ratios].join(', ')}`)
}
