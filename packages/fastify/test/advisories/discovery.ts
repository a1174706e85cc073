import { randomUUID } from 'node:crypto'
import { createClock, createIssuer, type IssuerMetadata } from '@postern/testkit'
import { times } from '@postern/testkit/long'
import type { Test } from 'tap'
import { fewInTurn } from '../selections.ts'
import { demoIssuer, origin, type Started, signInAtIssuer, start } from '../start.ts'
import type { Replay } from './replay.ts'

const wellKnown = '/.well-known/openid-configuration'
const ofLogout = 'http://schemas.openid.net/event/backchannel-logout'
const hour = 3600

const open = (t: Test): Promise<Started> => start(t, { instances: 1 })

/** How often a path of the issuer was requested. */
const requests = ({ issuer }: Started, path: string): number =>
  issuer.requests.filter(({ url }) => new URL(url).pathname === path).length

/** Starts a sign-in. */
async function begin({ newBrowser }: Started, provider: string = 'demo'): Promise<string> {
  const { location = '' } = await newBrowser().submit(`/api/auth/signin/${provider}`, {})
  return location?.startsWith('https://issuer.test/authorize') ? 'started' : (location ?? '')
}

async function isWorking(started: Started): Promise<boolean> {
  if ((await begin(started)) !== 'started') return false
  const { location } = await signInAtIssuer(started, started.newBrowser())
  return location === origin
}

/** A logout token with all its claims, signed by the issuer. */
async function logoutToken({ issuer, clock }: Started, claims: object = {}): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  const plain = { iss: issuer.issuer, aud: issuer.clientId, iat, exp: iat + 120, jti: randomUUID(), sub: 'ada' }
  return issuer.sign({ ...plain, events: { [ofLogout]: {} }, ...claims }, { typ: 'logout+jwt' })
}

/** Changes the signature, and nothing else. */
const forged = (token: string): string => `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`

async function logout({ newBrowser }: Started, token: string): Promise<number> {
  const { status } = await newBrowser().post(
    '/api/auth/backchannel-logout/demo',
    `${new URLSearchParams({ logout_token: token })}`
  )
  return status
}

/** Documents that lack what a sign-in needs. */
const incomplete: readonly (readonly [title: string, change: (metadata: IssuerMetadata) => unknown])[] = [
  ['no authorization_endpoint', ({ authorization_endpoint: _, ...rest }) => rest],
  ['no token_endpoint', ({ token_endpoint: _, ...rest }) => rest],
  ['no jwks_uri', ({ jwks_uri: _, ...rest }) => rest],
  ['no issuer', ({ issuer: _, ...rest }) => rest],
  ['only an issuer', ({ issuer }) => ({ issuer })],
  ['null for an endpoint', (metadata) => ({ ...metadata, token_endpoint: null })],
  ['an endpoint that is not a string', (metadata) => ({ ...metadata, jwks_uri: [metadata.jwks_uri] })],
  ['an empty endpoint', (metadata) => ({ ...metadata, authorization_endpoint: '' })],
  ['an empty object', () => ({})],
  ['a list', () => []]
]

/** Half of them in `npm test`: P12a has all. */
const someIncomplete = fewInTurn(5)

type Faults = Partial<Started['issuer']['faults']>

/** What a provider may do while a user posts to it, or through it. */
const outages: readonly (readonly [title: string, faults: Faults])[] = [
  ['is unreachable', { unreachable: true }],
  ['answers 503', { discoveryStatus: 503 }],
  ['sends a page', { respond: () => new Response('<html>') }],
  ['sends an incomplete document', { metadata: ({ issuer }) => ({ issuer }) }],
  ['names another issuer', { discoveryIssuerMismatch: true }],
  ['has no keys', { jwksStatus: 503 }],
  ['sends keys that are none', { keySet: () => ({ keys: 'none' }) }]
]

export const discovery: readonly Replay[] = [
  [
    'P12a',
    'an incomplete discovery document is kept for an hour',
    async (t) => {
      for (const [title, change] of incomplete) {
        const started = await open(t)
        started.issuer.faults.metadata = change
        t.match(await begin(started), /error=OAuthSignin/, title)
        started.issuer.behave()
        started.clock.advance(5)
        t.ok(await isWorking(started), `${title}: the repaired provider works within seconds`)
      }
    }
  ],
  [
    'P12b',
    'an incomplete discovery document replaces a complete one',
    async (t) => {
      for (const [title, change] of someIncomplete(incomplete)) {
        const started = await open(t)
        t.ok(await isWorking(started))
        started.issuer.faults.metadata = change
        started.clock.advance(hour)
        t.ok(await isWorking(started), `${title}: the old document is kept`)
        t.equal(requests(started, wellKnown), 2, 'a newer one was requested')
        for (let count = 0; count < times(2, 20); count++) await begin(started)
        t.equal(requests(started, wellKnown), 2, 'and not again at once')
      }
    }
  ],
  [
    'P12c',
    'a hundred forged logout tokens make a hundred calls to a provider that fails',
    async (t) => {
      const forgeries = times(4, 100)
      for (const [title, faults] of outages) {
        const started = await open(t)
        Object.assign(started.issuer.faults, faults)
        for (let count = 0; count < forgeries; count++)
          t.equal(await logout(started, forged(await logoutToken(started))), 400)
        t.ok(started.issuer.requests.length <= 2, `${title}: ${started.issuer.requests.length} calls`)
        await Promise.all(
          Array.from({ length: forgeries }, async () => logout(started, forged(await logoutToken(started))))
        )
        t.ok(started.issuer.requests.length <= 2, `${title}, in parallel: ${started.issuer.requests.length} calls`)
        started.issuer.behave()
        started.clock.advance(5)
        t.equal(await logout(started, await logoutToken(started)), 200, `${title}: works again within seconds`)
      }
      const healthy = await open(t)
      for (let count = 0; count < forgeries; count++) await logout(healthy, forged(await logoutToken(healthy)))
      // A key may have been replaced under its `kid`: a wrong signature fetches the keys once more in a cool-down.
      t.equal(healthy.issuer.requests.length, 3, 'the document, the keys, and the keys once more')
    }
  ],
  [
    'P12d',
    'a logout token that cannot be one makes a call to the provider',
    async (t) => {
      const started = await open(t)
      const { issuer, clock } = started
      const now = Math.floor(clock.now() / 1000)
      const claims: readonly object[] = [
        ...[{ aud: 'another-client' }, { events: {} }, { nonce: 'n' }, { iat: now - 1000 }, { exp: now - 100 }],
        ...[{ jti: '' }, { sub: '' }, { iss: 'https://evil.test' }, { iss: 'evil' }, { iss: 7 }]
      ]
      const tokens = await Promise.all(claims.map((claim) => logoutToken(started, claim)))
      const idToken = await issuer.sign({ iss: issuer.issuer, aud: issuer.clientId }, { typ: 'JWT' })
      for (const token of [...tokens, idToken, 'a', 'a.b.c', '..', 'x'.repeat(30_000), ''])
        t.equal(await logout(started, token), 400, token.slice(0, 20))
      t.equal(issuer.requests.length, 0)
      t.equal(await logout(started, await logoutToken(started, { iss: `${issuer.issuer}/other` })), 400)
      t.equal(requests(started, '/jwks'), 0, 'another issuer of that server is refused before its keys are requested')
    }
  ],
  [
    'P12e',
    'every sign-in calls a provider that fails',
    async (t) => {
      const visits = times(4, 50)
      for (const [title, faults] of outages.slice(0, 5)) {
        const started = await open(t)
        Object.assign(started.issuer.faults, faults)
        for (let count = 0; count < visits; count++) await begin(started)
        await Promise.all(Array.from({ length: visits }, () => begin(started)))
        t.equal(started.issuer.requests.length, 1, title)
        for (const seconds of [4, 1, 4, 1]) {
          started.clock.advance(seconds)
          await begin(started)
        }
        t.equal(started.issuer.requests.length, 3, `${title}: requested again after five seconds`)
      }
    }
  ],
  [
    'P12f',
    'the failure of one provider, or a clock that is set back, keeps another one out',
    async (t) => {
      let isBroken = true
      const clock = createClock()
      const issuer = createIssuer({ clock })
      const fetch = async (url: string, init: RequestInit): Promise<Response> => {
        if (isBroken) throw new TypeError('fetch failed')
        return issuer.fetch(url, init)
      }
      const other = { ...demoIssuer(issuer), id: 'other', [Symbol('custom-fetch')]: fetch }
      const runtime = { now: clock.now, fetch: issuer.fetch }
      const plain = await start(t, { instances: 1, providers: [demoIssuer(issuer), other], runtime })
      const started = { ...plain, clock, issuer }
      t.match(await begin(started, 'other'), /error=OAuthSignin/)
      t.equal(await begin(started), 'started', 'a provider of the same issuer is not affected')
      t.match(await begin(started, 'other'), /error=OAuthSignin/)
      isBroken = false
      t.match(await begin(started, 'other'), /error=OAuthSignin/, 'the failure is remembered')
      started.clock.advance(-86_400)
      t.equal(await begin(started, 'other'), 'started', 'a clock that is set back ends it')
    }
  ]
]
