import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { BrowserResponse } from '@postern/testkit'
import { createAuthority, createCertificate, type HostileCase, hostileModules } from '@postern/testkit/hostile'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { type Expected, getExpectation } from './hostile-expectations.ts'
import { clientSecret, openStage, type Stage, type StageOptions, type Transport, visit } from './hostile-stage.ts'
import { scenes } from './hostile-visits.ts'
import { getSession, origin } from './start.ts'

const tls = 'H22 TLS with a certificate that does not hold'
const authority = createAuthority()
const certificates = {
  good: createCertificate(authority, '127.0.0.1'),
  expired: createCertificate(authority, '127.0.0.1', -1),
  'self-signed': createCertificate(createAuthority('Another authority'), '127.0.0.1'),
  'of another host': createCertificate(authority, 'another.test')
}
setDefaultCACertificates([...getCACertificates('default'), authority.cert])

function getStageOptions(module: string, { issuer, title }: HostileCase): StageOptions {
  const own = Object.entries(certificates).find(([name]) => name === title)?.[1]
  const given = { ...scenes[module]?.stage, ...(issuer ? { issuer } : {}) }
  return module === tls ? { ...given, certificate: own ?? certificates.good } : given
}

function getAnswer(response: BrowserResponse): Pick<Expected, 'outcome' | 'reason'> | string {
  const { status, location } = response
  if (status === 413) return { outcome: 'too large' }
  if (status === 400 && /start again|Start again/i.test(response.body)) return { outcome: 'start again' }
  if (location === origin || status === 200) return { outcome: 'signed in' }
  const { pathname, searchParams } = new URL(location ?? '', origin)
  const [error, reason] = [searchParams.get('error'), searchParams.get('reason')]
  if (pathname !== '/api/auth/signin' || (error !== 'OAuthSignin' && error !== 'OAuthCallback')) {
    return `${status} ${location} ${response.body.slice(0, 200)}`
  }
  if (reason !== null && reason !== 'unavailable' && reason !== 'cancelled') return `the reason ${reason}`
  return { outcome: error, ...(reason ? { reason } : {}) }
}

/** The text of an error page, by its reason or else its code. */
const sentences: Readonly<Record<string, string>> = {
  OAuthSignin: 'The sign-in could not be started.',
  OAuthCallback: 'The answer of the sign-in service could not be accepted.',
  cancelled: 'You canceled the sign-in.',
  unavailable: 'The sign-in service does not answer at the moment.',
  'start again': 'This sign-in took too long, or it was started in another browser. Nothing was changed.'
}

/** The page that explains a refusal has its sentence, a way on, and the id that the log has. */
async function checkPage(
  t: Test,
  { browser, log }: Stage,
  response: BrowserResponse,
  expected: Expected
): Promise<void> {
  const { outcome, reason } = expected
  if (outcome === 'too large') return
  const page = response.location ? await browser.follow(response) : response
  t.equal(page.status, response.location ? 200 : 400, 'the page that explains it')
  const text = page.html().querySelector('main')?.textContent ?? ''
  t.ok(text.includes(sentences[reason ?? outcome] ?? 'none'), 'with its sentence')
  const ref = page.html().querySelector('.reference')?.text.replace('Reference: ', '') ?? ''
  t.ok(log.join('').includes(`"ref":"${ref}"`), 'the id that is in the log too')
  t.ok(page.html().querySelector('form[action$="/signin/demo"], form[action$="/signin/other"]'), 'and a way on')
}

async function checkRefusal(t: Test, stage: Stage): Promise<void> {
  const { browser, store, log } = stage
  t.same(await getSession(browser), {}, 'no session')
  for (const method of ['createUser', 'createUserWithAccount', 'linkAccount', 'createSession'] as const) {
    t.equal(store.count(method), 0, `no ${method}`)
  }
  t.notMatch(log.join(''), clientSecret, 'no secret in the log')
}

/** Every log line about a refusal names the provider and what to check. */
function checkLog(t: Test, { log }: Stage, { outcome }: Expected): void {
  const lines = log.map((line) => JSON.parse(line) as { readonly code?: string; readonly auth?: { message?: string } })
  const reported = lines.filter(({ code }) => code === 'OAUTH_CALLBACK_ERROR' || code === 'SIGNIN_OAUTH_ERROR')
  t.ok(reported.length > 0, 'it is logged')
  for (const { auth } of reported) t.match(auth?.message ?? '', /\b(demo|other)\b/, 'with the name of the provider')
  if (outcome === 'OAuthSignin') t.match(reported.at(-1)?.auth?.message ?? '', /discovery/, 'and the step')
}

/** Failures before anything of the provider but its metadata is used: nothing of them is kept. */
const leavesNothing = ({ outcome, calls }: Expected): boolean =>
  outcome === 'OAuthCallback' && (calls === 'discovery' || calls === 'discovery token')

/**
 * @param isFirst - The other cases of a module show in the long run that they have the same page, and leave nothing. In `npm test`,
 * they are played without a socket in between, and so are three modules of four.
 */
async function play(t: Test, transport: Transport, module: string, one: HostileCase, isFirst: boolean): Promise<void> {
  const isWhole = isLong || isFirst
  const stage = await openStage(t, isWhole ? transport : 'inject', getStageOptions(module, one))
  const expected = getExpectation(module, one.title)
  const { visit: special, check } = scenes[module] ?? {}
  one.play(stage.issuer)
  const response = await (special ? special(stage, one) : visit(stage))
  const { outcome, reason = null, calls } = expected
  t.same(getAnswer(response), { outcome, ...(reason ? { reason } : {}) }, 'where the visitor ends up')
  t.equal(stage.calls(), calls, 'the requests to the provider')
  if (outcome === 'signed in') {
    if (!module.startsWith('H24')) t.match(await getSession(stage.browser), { user: {} }, 'a session')
  } else {
    await checkRefusal(t, stage)
    if (isWhole) await checkPage(t, stage, response, expected)
    if (outcome !== 'too large') checkLog(t, stage, expected)
  }
  await check?.(t, stage, response, one)
  if (!isWhole && leavesNothing(expected)) return
  stage.issuer.behave()
  stage.server?.certify(certificates.good)
  // A failure to fetch metadata or keys is remembered for five seconds.
  stage.clock.advance(expected.wait ?? 5)
  const next = await visit(stage)
  t.equal(next.location, origin, 'the next honest sign-in works')
  t.ok((await getSession(stage.browser)).user, 'and gives a session')
}

const modules = Object.keys(hostileModules)
/** Milliseconds for all modules of a transport, on a machine that has other things to do. */
const patience = 300_000
/** Each case both ways in the long run. */
const transports = isLong ? (['inject', 'HTTP'] as const) : (['HTTP'] as const)

for (const transport of transports) {
  t.test(transport, { timeout: patience }, async (t) => {
    for (const [place, [module, cases]] of Object.entries(hostileModules).entries()) {
      const reached = isLong || place % 4 === 0 ? transport : 'inject'
      t.test(module, async (t) => {
        for (const [index, one] of cases.entries()) {
          const isFirst = index === 0
          if (one.title === '') await play(t, reached, module, one, isFirst)
          else await t.test(one.title, (t) => play(t, reached, module, one, isFirst))
        }
      })
    }
  })
}

t.test('every module is played', async (t) => {
  t.equal(modules.length, 81)
  t.same(
    Object.keys(scenes).filter((name) => !modules.includes(name)),
    [],
    'no scene without its module'
  )
  console.log(`hostile provider: ${modules.length} modules, through ${transports.join(' and over ')}`)
})
