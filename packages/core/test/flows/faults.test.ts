import { createHash } from 'node:crypto'
import type { Faults } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import {
  begin,
  checkCookies,
  comeBack,
  getSession,
  origin,
  parameter,
  requested,
  sessionCookie,
  signIn,
  start
} from './start.ts'

const token = '/token'
const keys = '/jwks'
const userinfo = '/userinfo'

type Case = readonly [title: string, faults: Partial<Faults>, calls: readonly string[]]

/** The fault, and the calls until it is detected; none follows. */
const cases: readonly Case[] = [
  ['the callback names another issuer', { callbackIssWrong: true }, []],
  ['the callback names no issuer, although that was promised', { callbackIssMissing: true }, []],
  ['the callback brings an error', { callbackError: 'server_error' }, []],
  ['the visitor cancelled', { callbackError: 'access_denied' }, []],
  ['the token endpoint refuses', { tokenError: { status: 400, body: { error: 'invalid_grant' } } }, [token]],
  [
    'the token endpoint refuses the client',
    { tokenError: { status: 401, body: { error: 'invalid_client' } } },
    [token]
  ],
  ['the token endpoint fails', { tokenError: { status: 500, body: 'oops' } }, [token]],
  ['the token endpoint is busy', { tokenError: { status: 503, body: '' } }, [token]],
  ['the token endpoint answers HTML', { tokenError: { status: 200, body: '<html></html>' } }, [token]],
  ['the token endpoint answers nothing', { tokenError: { status: 200, body: '' } }, [token]],
  ['the token endpoint answers a list', { tokenError: { status: 200, body: [] } }, [token]],
  ['the token endpoint answers null', { tokenError: { status: 200, body: null } }, [token]],
  [
    'the token endpoint answers another status',
    { tokenError: { status: 202, body: { access_token: 'a', token_type: 'bearer' } } },
    [token]
  ],
  ['there is no access token', { noAccessToken: true }, [token]],
  ['the access token is not a string', { tokenFields: { access_token: { a: 1 } } }, [token]],
  ['the token type is unknown', { tokenFields: { token_type: 'mac' } }, [token]],
  ['there is no ID Token', { noIdToken: true }, [token]],
  ['the ID Token is not a token', { tokenFields: { id_token: 'a.b.c' } }, [token]],
  ['the ID Token is not a string', { tokenFields: { id_token: 1 } }, [token]],
  ['the ID Token is of another issuer', { wrongIss: true }, [token]],
  ['the ID Token is for another client', { wrongAud: true }, [token]],
  ['the ID Token is for no one', { missingAud: true }, [token]],
  ['the ID Token is about no one', { missingSub: true }, [token]],
  ['the ID Token is about an empty name', { emptySub: true }, [token, keys]],
  [
    'the ID Token is about a number',
    { idTokenClaims: (claims) => ({ ...claims, ...{ sub: Number('1') as unknown as string } }) },
    [token]
  ],
  [
    'the ID Token is about a name too long',
    { idTokenClaims: (claims) => ({ ...claims, sub: 'a'.repeat(256) }) },
    [token, keys]
  ],
  [
    'the ID Token is about a name beyond ASCII',
    { idTokenClaims: (claims) => ({ ...claims, sub: 'a\0b' }) },
    [token, keys]
  ],
  ['the ID Token has another nonce', { wrongNonce: true }, [token]],
  ['the ID Token has no nonce', { missingNonce: true }, [token]],
  ['the ID Token ended 20 s ago', { expired: true }, [token]],
  ['the ID Token never ends', { missingExp: true }, [token]],
  ['the ID Token is from the future', { futureIat: true }, [token, keys]],
  [
    'the ID Token is a week old',
    { idTokenClaims: (claims) => ({ ...claims, iat: Number(claims.iat) - 7 * 86_400 }) },
    [token, keys]
  ],
  ['the ID Token does not say when it was made', { missingIat: true }, [token]],
  ['the ID Token holds later', { idTokenClaims: (claims) => ({ ...claims, nbf: Number(claims.iat) + 60 }) }, [token]],
  ['the ID Token was given to another client', { wrongAzp: true }, [token]],
  [
    'the ID Token is for us and was given to another',
    { idTokenClaims: (claims) => ({ ...claims, azp: 'another-client' }) },
    [token, keys]
  ],
  [
    'the ID Token belongs to another access token',
    { idTokenClaims: (claims) => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }) },
    [token, keys]
  ],
  ['the ID Token’s signature is wrong', { badSignature: true }, [token, keys]],
  ['the ID Token is not signed', { algNone: true }, [token]],
  ['the ID Token is signed with the client secret', { hs256: true }, [token]],
  ['the ID Token names an unknown key', { unknownKid: true }, [token, keys]],
  ['the keys cannot be had', { jwksStatus: 500 }, [token, keys]],
  ['the keys are not found', { jwksStatus: 404 }, [token, keys]],
  ['the keys are a redirect', { jwksStatus: 302 }, [token, keys]],
  ['userinfo is about another', { userinfoWrongSub: true }, [token, keys, userinfo]],
  ['userinfo refuses', { userinfoStatus: 403 }, [token, keys, userinfo]],
  ['userinfo is busy', { userinfoStatus: 429 }, [token, keys, userinfo]],
  ['userinfo fails', { userinfoStatus: 500 }, [token, keys, userinfo]],
  ['nothing can be reached', { unreachable: true }, [token]]
]

/** An issuer whose ID Token leaves everything but the name of the visitor to userinfo. */
const reticent = { issuerOptions: { claimsInIdToken: false } }

for (const [index, [title, faults, calls]] of cases.entries()) {
  // In `npm test`, after one fault in six: what follows is the same after each.
  const isRepeated = isLong || index % 6 === 0
  const next = isRepeated ? ', and the next honest sign-in works' : ''
  t.test(`oauth-3: ${title}: no session, no further call${next}`, async (t) => {
    const started = start(reticent)
    const { browser, issuer } = started
    const url = await begin(browser, { callbackUrl: '/me' })
    const honest = { ...issuer.faults }
    Object.assign(issuer.faults, faults)
    const since = issuer.requests.length
    const refused = await comeBack(browser, await issuer.authorize(url))
    t.equal(refused.status, 302)
    t.match(refused.location, /^https:\/\/app\.test\/api\/auth\/signin\?/)
    t.equal(parameter(refused, 'error'), 'OAuthCallback')
    t.match(parameter(refused, 'ref'), /^[\da-f-]{36}$/)
    t.same(requested(issuer, since), calls)
    t.notOk(refused.setCookies.some(({ name }) => name.startsWith(sessionCookie)))
    t.same(await getSession(browser), {})
    t.notOk(
      checkCookies.some((name) => browser.cookies.get(name) !== null),
      'the attempt is spent'
    )
    if (!isRepeated) return
    const page = await browser.follow(refused)
    t.equal(page.status, 200)
    Object.assign(issuer.faults, honest)
    started.clock.advance(5)
    t.match(await signIn(started, browser, { callbackUrl: '/me' }), { status: 302, location: `${origin}/me` })
    t.match(await getSession(browser), { user: { name: 'Ada Lovelace' } })
  })
}

const legal: readonly (readonly [title: string, faults: Partial<Faults>])[] = [
  ['the audience is a list of one', { idTokenClaims: (claims) => ({ ...claims, aud: ['client'] }) }],
  ['the token type in another case', { tokenFields: { token_type: 'BEARER' } }],
  ['no expires_in', { tokenFields: { expires_in: undefined } }],
  ['expires_in as a text', { tokenFields: { expires_in: '3600' } }],
  ['expires_in that is not a number', { tokenFields: { expires_in: 'soon' } }],
  ['a refresh token that is not a string', { tokenFields: { refresh_token: { token: 'a' } } }],
  ['no scope', { tokenFields: { scope: undefined } }],
  ['fields that no one knows', { tokenFields: { ext: { a: [1] }, refresh_expires_in: 1 } }],
  ['azp that names us', { idTokenClaims: (claims) => ({ ...claims, azp: 'client' }) }],
  ['iat 10 s ahead', { idTokenClaims: (claims) => ({ ...claims, iat: Number(claims.iat) + 10 }) }],
  ['exp 9 s ago', { idTokenClaims: (claims) => ({ ...claims, exp: Number(claims.iat) - 9 }) }],
  ['a name of 255 characters', { idTokenClaims: (claims) => ({ ...claims, sub: 'a'.repeat(255) }) }]
]

for (const [title, faults] of legal) {
  t.test(`allowed: ${title}`, async (t) => {
    const started = start()
    Object.assign(started.issuer.faults, faults)
    t.equal((await signIn(started, started.browser)).location, origin)
    t.match(await getSession(started.browser), { user: { email: 'ada@example.com' } })
  })
}

t.test('at_hash is held against the access token', async (t) => {
  const started = start()
  const access = 'an access token'
  const half = createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url')
  Object.assign(started.issuer.faults, {
    tokenFields: { access_token: access },
    idTokenClaims: (claims: object) => ({ ...claims, at_hash: half })
  })
  t.equal((await signIn(started, started.browser)).location, origin)
})

t.test(
  'one kind of algorithm: RS256 is used if the provider offers it, and nothing that it does not offer',
  async (t) => {
    const started = start({ issuerOptions: { alg: 'RS256' } })
    t.equal((await signIn(started, started.browser)).location, origin)
    const other = start({
      issuerOptions: { alg: 'RS256' },
      provider: { client: { id_token_signed_response_alg: 'ES256' } }
    })
    t.equal(parameter(await signIn(other, other.browser), 'error'), 'OAuthCallback')
  }
)

const results: readonly (readonly [title: string, path: string, answer: () => Response])[] = [
  [
    'the token endpoint sends us elsewhere',
    '/token',
    () => new Response('', { status: 307, headers: { location: 'https://evil.test/token' } })
  ],
  [
    'userinfo sends us elsewhere',
    '/userinfo',
    () => new Response('', { status: 302, headers: { location: 'https://evil.test/' } })
  ],
  ['userinfo answers HTML', '/userinfo', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['userinfo answers a list', '/userinfo', () => Response.json([{ sub: 'ada' }])],
  [
    'userinfo answers text that is not UTF-8',
    '/userinfo',
    () => new Response(new Uint8Array([0x7b, 0xff, 0x7d]), { headers: { 'content-type': 'application/json' } })
  ],
  [
    'userinfo answers a nest of a hundred thousand lists',
    '/userinfo',
    () => new Response('['.repeat(100_000), { headers: { 'content-type': 'application/json' } })
  ],
  ['the keys are HTML', '/jwks', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ['the keys are none', '/jwks', () => Response.json({ keys: [] })],
  ['the keys are no list', '/jwks', () => Response.json({ keys: 'all' })],
  ['the keys are secrets', '/jwks', () => Response.json({ keys: [{ kty: 'oct', k: 'AAAA', alg: 'HS256' }] })]
]

for (const [title, path, result] of results) {
  t.test(`${title}: no session, and no other user is looked up`, async (t) => {
    const started = start(reticent)
    const { browser, issuer } = started
    issuer.faults.respond = ({ url }) => (new URL(url).pathname === path ? result() : null)
    t.equal(parameter(await signIn(started, browser), 'error'), 'OAuthCallback')
    t.notOk(issuer.requests.some(({ url }) => !url.startsWith(issuer.issuer)))
    t.same(await getSession(browser), {})
  })
}

const documents: readonly (readonly [title: string, change: object])[] = [
  ['an endpoint over http', { token_endpoint: 'http://issuer.test/token' }],
  ['an endpoint that is script', { authorization_endpoint: 'javascript:alert(1)' }],
  ['keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ['userinfo that is not an address', { userinfo_endpoint: 'userinfo' }],
  ['an issuer that is not a string', { issuer: 1 }]
]

for (const [title, change] of documents) {
  t.test(`a metadata document with ${title} is not used`, async (t) => {
    const started = start({ environment: { NODE_ENV: 'production' } })
    const { browser, issuer } = started
    issuer.faults.respond = ({ url }) =>
      url.includes('.well-known') ? Response.json({ ...issuer.metadata, ...change }) : null
    t.equal(parameter(await browser.submit('/api/auth/signin/demo', {}), 'error'), 'OAuthSignin')
    t.equal(issuer.requests.length, 1)
  })
}
