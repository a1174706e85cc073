import type { BrowserResponse } from '@postern/testkit'
import type { HostileCase } from '@postern/testkit/hostile'
import type { Test } from 'tap'
import { type Stage, type StageOptions, visit } from './hostile-stage.ts'
import { fromAfar } from './start.ts'

/** How a visit goes where it is not the plain one, and what the stage needs for it. */
export interface Scene {
  readonly stage?: StageOptions
  /** The visit; its response is what is judged. */
  readonly visit?: (stage: Stage, one: HostileCase) => Promise<BrowserResponse>
  /** Additional checks. */
  readonly check?: (t: Test, stage: Stage, response: BrowserResponse, one: HostileCase) => unknown
}

type Visit = NonNullable<Scene['visit']>
type Check = NonNullable<Scene['check']>

async function begin({ browser }: Stage): Promise<BrowserResponse> {
  return browser.submit('/api/auth/signin/demo', {})
}

const back = (stage: Stage, address: string): Promise<BrowserResponse> =>
  stage.browser.open(address, { headers: fromAfar })

const posted: Visit = async (stage) => {
  const response = await begin(stage)
  const { pathname, searchParams } = new URL(await stage.issuer.authorize(response.location ?? ''))
  const crossSite = { origin: stage.issuer.issuer, ...fromAfar }
  const reply = await stage.browser.post(pathname, `${searchParams}`, crossSite)
  // Cookies do not come along with a POST of another site: the response asks for them by a GET.
  return reply.status === 303 ? stage.browser.follow(reply) : reply
}

const rotation =
  (isLate: boolean): Visit =>
  async (stage) => {
    await visit(stage, stage.newBrowser())
    stage.mark()
    if (!isLate) stage.issuer.rotateKeys()
    const response = await begin(stage)
    const address = await stage.atIssuer(response)
    if (isLate) stage.issuer.rotateKeys()
    return back(stage, address)
  }

const fromAnotherBrowser: Visit = async (stage, { title }) => {
  const attacker = stage.newBrowser()
  const other = new URL(await stage.atIssuer(await attacker.submit('/api/auth/signin/demo', {})))
  const mine = new URL((await begin(stage)).location ?? '')
  if (title !== 'with its state') other.searchParams.set('state', mine.searchParams.get('state') ?? '')
  return back(stage, other.href)
}

const replayed: Visit = async (stage) => {
  const address = await stage.atIssuer(await begin(stage))
  await back(stage, address)
  await stage.browser.submit('/api/auth/signout', {})
  stage.mark()
  return back(stage, address)
}

const mixedUp: Visit = async (stage, { title }) => {
  const [from, to] = title === 'to the other' ? ['demo', 'other'] : ['other', 'demo']
  const issuer = from === 'demo' ? stage.issuer : stage.other
  const response = await stage.browser.submit(`/api/auth/signin/${from}`, {})
  const address = await stage.atIssuer(response, { sub: 'ada', email: 'ada@example.com' }, issuer)
  return back(stage, address.replace(`/callback/${from}`, `/callback/${to}`))
}

const anotherToken: Visit = async (stage) => {
  const { faults } = stage.issuer
  let cookieBefore = ''
  const eve = { sub: 'eve', name: 'Eve', email: 'eve@example.com' }
  faults.result = async (response, { url }) => {
    if (!new URL(url).pathname.endsWith('/token')) return response
    const tokens = (await response.json()) as { readonly id_token: string }
    const body = cookieBefore ? { ...tokens, id_token: cookieBefore } : tokens
    cookieBefore ||= tokens.id_token
    return Response.json(body)
  }
  const other = stage.newBrowser()
  const started = await other.submit('/api/auth/signin/demo', {})
  await other.open(await stage.atIssuer(started, eve), { headers: fromAfar })
  stage.mark()
  return visit(stage)
}

const left: Visit = async (stage) => {
  const address = await stage.atIssuer(await begin(stage))
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const requested = new Promise<void>((resolve) => {
    stage.issuer.faults.result = async (response) => {
      resolve()
      await gate
      return response
    }
  })
  await stage.disconnect(address, requested)
  open()
  await stage.signedIn
  return stage.browser.open('/api/auth/signin')
}

const storm: Visit = async (stage) => {
  let last = await visit(stage)
  for (let count = 1; count < 5; count++) last = await visit(stage)
  return last
}

const bothProviders: Visit = async (stage) => {
  const other = stage.newBrowser()
  const response = await other.submit('/api/auth/signin/other', {})
  const eve = { sub: 'ada', name: 'Eve', email: 'eve@example.com' }
  await other.open(await stage.atIssuer(response, eve, stage.other), { headers: fromAfar })
  stage.mark()
  return visit(stage)
}

const postedAtOnce: Visit = async (stage) => {
  const { pathname, searchParams } = new URL(await stage.atIssuer(await begin(stage)))
  return stage.browser.post(pathname, `${searchParams}`)
}

const requests = (stage: Stage, endpoint: string) =>
  stage.issuer.requests.filter(({ url }) => new URL(url).pathname.endsWith(`/${endpoint}`))

const asksWithEverything: Check = async (t, stage) => {
  const response = await begin(stage)
  const { searchParams } = new URL(response.location ?? '')
  t.match(searchParams.get('nonce') ?? '', /^[\w-]{43}$/, 'a nonce')
  t.match(searchParams.get('state') ?? '', /^[\w-]{43}$/, 'a state')
  t.match(searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/, 'a code challenge')
  t.equal(searchParams.get('code_challenge_method'), 'S256')
}

const bearer: Check = (t, stage) => {
  for (const { url, headers, body, method } of requests(stage, 'userinfo')) {
    t.match(headers['authorization'] ?? '', /^Bearer [\w-]+$/, 'the token is in the header')
    t.equal(method, 'GET')
    t.notMatch(url + body, /access_token/, 'and nowhere else')
  }
}

const basic: Check = (t, stage) => {
  for (const { headers, body } of requests(stage, 'token')) {
    t.match(headers['authorization'] ?? '', /^Basic /, 'the secret is in the header')
    t.notMatch(body, /client_secret/, 'and nowhere else')
  }
}

async function storedUser({ adapter }: Stage) {
  return adapter.getUserByAccount?.({ provider: 'demo', providerAccountId: 'ada' })
}

const unproven: Check = async (t, stage) => {
  const user = await storedUser(stage)
  t.match(user, { email: 'eve@example.com', emailVerified: null }, 'the address is not taken for proven')
}

const addresses: Readonly<Record<string, string | null>> = {
  'upper case': 'ada@example.com'
}

const oneAddress: Check = async (t, stage, _answer, { title }) => {
  const user = await storedUser(stage)
  t.equal(user?.email ?? null, addresses[title] ?? null, 'one address, or none')
  const userWithEmail = await stage.adapter.getUserByEmail?.('ada@example.com')
  t.equal(userWithEmail?.id ?? null, title === 'upper case' ? user?.id : null, 'no user is taken for another user')
}

const pictures: Readonly<Record<string, string>> = { 'http tracker': 'http://tracker.evil.test/pixel.gif' }

const noScript: Check = async (t, stage, _answer, { title }) => {
  t.equal((await storedUser(stage))?.image ?? null, pictures[title] ?? null)
}

const plainName: Check = async (t, stage) => {
  const name = (await storedUser(stage))?.name ?? ''
  t.match(name, /Ada/)
  t.notMatch(name, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, 'nothing that moves the cursor or turns the text round')
  t.ok(name.length <= 1000, 'and no longer than a name')
}

const twoUsers: Check = async (t, stage) => {
  const [one, other] = await Promise.all(
    ['demo', 'other'].map((provider) => stage.adapter.getUserByAccount?.({ provider, providerAccountId: 'ada' }))
  )
  t.ok(one && other && one.id !== other.id, 'two users')
}

const noMarkup: Check = async (t, stage, response) => {
  t.notMatch(JSON.stringify(response.headers), /evil|alert|a=b/)
  const page = response.location ? await stage.browser.followAll(response) : response
  t.notMatch(page.body, /alert\(1\)|evil\.test/, 'nothing of it is on the page')
}

/** The scenes that are not the plain one, by module. */
export const scenes: Readonly<Record<string, Scene>> = {
  'oidcc-client-test-nonce-unless-code-flow': { check: asksWithEverything },
  'oidcc-client-test-userinfo-bearer-header': { check: bearer },
  'oidcc-client-test-client-secret-basic': { check: basic },
  'oidcc-client-test-form-post-error': { visit: posted },
  'oidcc-client-test-signing-key-rotation': { visit: rotation(false) },
  'oidcc-client-test-signing-key-rotation-just-before-signing': { visit: rotation(true) },
  'H07 code from another browser': { visit: fromAnotherBrowser },
  'H08 callback replayed after success': { visit: replayed },
  'H09 provider mix-up': { visit: mixedUp },
  'H16 metadata with endpoints that lead elsewhere': { stage: { isIssuerInside: true } },
  'H17 error with markup, line feeds or 1 MB': {
    visit: (stage, one) => (one.title === '1 MB' ? posted(stage, one) : visit(stage)),
    check: noMarkup
  },
  'H18 email_verified that is not true': { check: unproven },
  'H19 email that looks like another': { check: oneAddress },
  'H20 picture that is not a picture': { check: noScript },
  'H21 name with control characters, bidi or 1 MB': { check: plainName },
  'H24 visitor leaves while the issuer answers': { visit: left },
  'H25 identical sub from two providers': { visit: bothProviders, check: twoUsers },
  'H27 ID Token of another user replayed': { visit: anotherToken },
  'H28 callback by the other method': {
    visit: (stage, one) => (one.title.startsWith('POST') ? postedAtOnce(stage, one) : visit(stage)),
    stage: { demo: { authorization: { params: { scope: 'openid email profile', response_mode: 'form_post' } } } }
  },
  'H30 rotation storm': { visit: storm }
}
