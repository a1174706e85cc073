import { type Browser, createBrowser, fromFetch, type Send } from '@postern/testkit'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { inAndOut, linkElsewhere, lookAround } from '@postern/testkit/journey'
import { isLong } from '@postern/testkit/long'
import { samples } from 'demo/samples'
import t, { type Test } from 'tap'
import { type Cluster, startCluster } from '../src/cluster.ts'
import type { Instance } from '../src/processes.ts'
import { makeThrowaway } from '../src/throwaway.ts'
import { isReachable } from './reachable.ts'

process.env['LOG_LEVEL'] ??= 'silent'
const isRequired = Boolean(process.env['POSTERN_REQUIRE_ALL'])
const lacking = [
  ...((await isReachable(5432)) ? [] : ['PostgreSQL at 127.0.0.1:5432']),
  ...((await isReachable(6379)) ? [] : ['Redis at 127.0.0.1:6379'])
]
const skipFor = (missing: readonly string[]) =>
  missing.length > 0 && !isRequired ? `no ${missing.join(', no ')}` : false

/** A separate cluster on a database. */
async function cluster(t: Test, session: 'jwt' | 'database', instances: number = 2): Promise<Cluster> {
  const { drop, ...shared } = await makeThrowaway()
  t.teardown(drop)
  const started = await startCluster({ ...shared, session, instances })
  t.teardown(started.close)
  return started
}

/** Asks one instance, past the balancer. */
const sendTo = ({ port }: Instance): Send => {
  const send = fromFetch(fetch)
  return (request) => send({ ...request, origin: `http://127.0.0.1:${port}` })
}

/** A client whose requests alternate between the instances. */
function visitor({ url, instances }: Cluster): Browser {
  const sends = instances.map(sendTo)
  let requests = 0
  return createBrowser({ origin: url, send: (request) => at(sends, requests++ % sends.length)(request) })
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`expected more than ${index}`)
  return found
}

const form = { username: 'grace', password: 'hopper' }
const session = '/api/auth/session'

t.test('instances that share PostgreSQL and Redis', { skip: skipFor(lacking) }, async (t) => {
  // Three, of which one test ends one.
  const running = await cluster(t, 'database', 3)

  await t.test('a sign-in started on one instance completes on another, and one sign-out applies to all', async (t) => {
    const browser = visitor(running)
    t.equal((await browser.submit('/api/auth/callback/credentials', form)).status, 302, 'token here, form there')
    for (const _ of running.instances) t.match(await browser.json(session), { user: { name: 'Grace Hopper' } })
    const thief = browser.cookies.clone()
    await browser.submit('/api/auth/signout', {})
    for (const instance of running.instances) {
      const copy = createBrowser({ origin: running.url, send: sendTo(instance), cookies: thief.clone() })
      t.same(await copy.json(session), {}, 'a copy of the cookie is not a user on any instance')
    }
  })

  // In `npm test`, the tests of the demo show them.
  if (isLong)
    await t.test('every page that the demo links is there, and every screen', async (t) => {
      await lookAround(t, running.url, Object.keys(samples))
    })

  await t.test('an instance that no longer exists is not missed', async (t) => {
    const browser = createBrowser({ origin: running.url, send: fromFetch(fetch) })
    await browser.submit('/api/auth/callback/credentials', form)
    at(running.instances, 0).process.kill('SIGKILL')
    await new Promise((resolve) => at(running.instances, 0).process.once('exit', resolve))
    for (let request = 0; request < 20; request++)
      t.match(await browser.json(session), { user: { name: 'Grace Hopper' } })
  })

  await t.test('limits are counted together', async (t) => {
    // The sign-ins before have succeeded, so they do not count.
    const browser = visitor({ ...running, instances: running.instances.slice(1) })
    const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
    const wrong = { username: 'ada', password: 'guess', csrfToken, json: 'true' }
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => browser.submit('/api/auth/callback/credentials', wrong))
    )
    const count = (status: number): number => responses.filter((response) => response.status === status).length
    // Beyond ten, one guess is allowed after each pause of several seconds, which a busy machine may take for the requests.
    t.ok(count(401) >= 10 && count(401) < 15, `ten guesses in total over all instances, not ${count(401)}`)
    t.equal(count(401) + count(429), 40)
  })
})

// In `npm test`, the tests of the demo do this with one instance.
if (isLong)
  t.test('a person in Chromium, at a cluster', { skip: withoutChromium || skipFor(lacking) }, async (t) => {
    const browser = await openChromium()
    // With both, and twice, at one process: the tests of the demo.
    for (const strategy of isLong ? (['database', 'jwt'] as const) : (['database'] as const)) {
      await t.test(`${strategy} sessions: all three sign-in methods, and out again`, async (t) => {
        const { url } = await cluster(t, strategy)
        const context = await browser.newContext({ javaScriptEnabled: false })
        t.teardown(() => context.close())
        await inAndOut(t, await context.newPage(), url, isLong ? undefined : ['first'])
      })
    }
    await t.test('a mailed link that another browser opens asks for one press of a button', async (t) => {
      const { url } = await cluster(t, 'database')
      const [asking, other] = await Promise.all([
        browser.newContext({ javaScriptEnabled: false }),
        browser.newContext({ javaScriptEnabled: false })
      ])
      t.teardown(() => Promise.all([asking.close(), other.close()]))
      await linkElsewhere(t, [await asking.newPage(), await other.newPage()], url)
    })
  })
