import { createIssuer } from '@postern/testkit'
import t, { type Test } from 'tap'
import type { OAuthConfig } from '../../src/model/provider-config.ts'
import { begin, comeBack, parameter, type Started, type StartOptions, start } from './start.ts'

const says = 'Pushed Authorization Request must be used'

type Toward = OAuthConfig['profile']

/** A provider without OpenID Connect. */
function plain(profile: Toward = ({ sub }: { sub: string }) => ({ id: sub })): Partial<OAuthConfig> {
  const { issuer } = createIssuer()
  return {
    ...{ type: 'oauth', issuer: undefined, idToken: false, profile },
    authorization: `${issuer}/authorize?scope=openid`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`
  }
}

const getMessages = ({ log }: Started): string => log.map(({ metadata }) => JSON.stringify(metadata)).join('\n')

/** Starts a sign-in that fails, and checks that the user sees nothing of it. @returns what the log says */
async function fail(
  t: Test,
  options: StartOptions,
  change: (started: Started) => void,
  hidden: string = says
): Promise<string> {
  const started = start({ issuerOptions: { clientSecret: 'canary-secret' }, ...options })
  const url = await begin(started.browser)
  change(started)
  const end = await comeBack(started.browser, await started.issuer.authorize(url))
  t.equal(parameter(end, 'error'), 'OAuthCallback')
  const page = await started.browser.follow(end)
  for (const text of [end.location ?? '', page.body]) t.notOk(text.includes(hidden), 'the page does not have the text')
  return getMessages(started)
}

const refuse =
  (body: unknown, status: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ issuer: { faults } }: Started): void => {
    faults.result = (response, { url }) =>
      url.endsWith('/token') ? Response.json(body, { status, headers }) : response
  }

/** A token response as a provider sends it, where it was reported, and what the log has to contain. */
interface TokenResponse {
  readonly title: string
  readonly source: string
  readonly status: number
  readonly body: object
  readonly says: string
}

const tokenResponses: readonly TokenResponse[] = [
  {
    title: 'RFC 6749',
    source: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
    status: 400,
    body: { error: 'invalid_grant', error_description: 'The code has expired' },
    says: '"invalid_grant": "The code has expired"'
  },
  {
    title: 'GitHub, with status 200',
    source: 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/',
    status: 200,
    body: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
    says: 'status 200: the server said "bad_verification_code": "The code passed is incorrect or expired."'
  },
  {
    title: 'WeChat, with status 200',
    source: 'https://github.com/binarywang/WxJava/issues/1626',
    status: 200,
    body: { errcode: 40029, errmsg: 'invalid code, hints: [ req_id: UdICunNre-o_pNZa ]' },
    says: '"40029": "invalid code, hints: [ req_id: UdICunNre-o_pNZa ]"'
  },
  {
    title: 'Facebook, in an object',
    source: 'https://github.com/scribejava/scribejava/issues/605',
    status: 400,
    body: {
      error: {
        message:
          'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        type: 'OAuthException',
        code: 100,
        fbtrace_id: 'FXgxdS+pnYb'
      }
    },
    says: '"100": "Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request"'
  },
  {
    title: 'Strava, in a list, a code that was used',
    source: 'https://github.com/yihong0618/running_page/issues/523',
    status: 400,
    body: {
      message: 'Bad Request',
      errors: [{ resource: 'AuthorizationCode', field: 'code', code: 'invalid' }]
    },
    says: '"invalid": "Bad Request (AuthorizationCode code)"'
  },
  {
    title: 'Strava, in a list, an unknown client',
    source: 'https://github.com/yihong0618/running_page/issues/697',
    status: 400,
    body: { message: 'Bad Request', errors: [{ resource: 'Application', field: 'client_id', code: 'invalid' }] },
    says: '"invalid": "Bad Request (Application client_id)"'
  },
  {
    title: 'Slack, with status 200',
    source: 'https://github.com/kmrshntr/omniauth-slack/issues/35',
    status: 200,
    body: { ok: false, error: 'bad_client_secret' },
    says: '"bad_client_secret"'
  },
  {
    title: 'Twitch, a message only',
    source: 'https://github.com/PhantomBot/PhantomBot/issues/2860',
    status: 403,
    body: { message: 'invalid client secret', status: 403 },
    says: '"invalid client secret"'
  }
]

for (const { title, source, status, body, says: expected } of tokenResponses) {
  t.test(`the log has the words of a token endpoint: ${title} (${source})`, async (t) => {
    for (const provider of [{}, plain()]) {
      const log = await fail(t, { provider }, refuse(body, status), 'the server said')
      t.ok(log.includes(JSON.stringify(expected).slice(1, -1)), log)
    }
  })
}

t.test('a challenge beside the error of the token endpoint hides nothing', async (t) => {
  const body = { error: 'invalid_client', error_description: 'wrong method' }
  const log = await fail(
    t,
    {},
    refuse(body, 401, { 'www-authenticate': 'Basic realm="LemonLDAP::NG"' }),
    'wrong method'
  )
  t.match(log, /\\"invalid_client\\": \\"wrong method\\"/)
})

t.test(
  'the words are printable, limited, and without what looks like a token or a secret of the request',
  async (t) => {
    const description = `a\r\nb\u0000\u202ec canary-secret eyJhbGciOiJIUzI1NiJ9${'x'.repeat(40)}.abc ${'long '.repeat(60)}`
    const log = await fail(t, {}, refuse({ error: 'invalid_grant', error_description: description }, 400), 'a b c')
    const [, said = ''] = /invalid_grant\\": \\"(.*?)\\"/.exec(log) ?? []
    t.match(said, /^a b c … … long /)
    t.equal(said.length, 200)
  }
)

t.test('an error in the callback is marked: it comes through the browser', async (t) => {
  const log = await fail(
    t,
    {},
    ({ issuer: { faults } }) => {
      faults.callbackError = 'invalid_request'
      faults.callback = ({ searchParams }) => searchParams.set('error_description', says)
    },
    says
  )
  t.match(
    log,
    /the server said \\"invalid_request\\": \\"Pushed Authorization Request must be used\\", as the browser reports it/
  )
})

t.test('an error for which there is no sign-in is logged with its words, too', async (t) => {
  const { browser, log } = start()
  const query = new URLSearchParams({ error: 'invalid_request', error_description: says })
  const page = await comeBack(browser, `/api/auth/callback/demo?${query}`)
  t.equal(page.status, 400)
  t.notOk(page.body.includes(says))
  t.match(log, [
    { metadata: { message: /no pending sign-in.*"invalid_request": "Pushed.*, as the browser reports it/ } }
  ])
})

t.test('userinfo that refuses: the log has its words, of the body or of the challenge', async (t) => {
  const challenge = { 'www-authenticate': 'Bearer error="insufficient_scope", error_description="needs profile"' }
  const answers: readonly (readonly [Response, RegExp])[] = [
    [
      new Response('', { status: 403, headers: challenge }),
      /got 403: the server said \\"insufficient_scope\\": \\"needs profile/
    ],
    [Response.json({ message: 'Bad credentials' }, { status: 401 }), /got 401: the server said \\"Bad credentials/]
  ]
  for (const [response, expected] of answers) {
    for (const provider of [{ idToken: false }, plain()]) {
      const refused = await fail(t, { provider }, ({ issuer: { faults } }) => {
        faults.userinfo = () => response.clone()
      })
      t.match(refused, expected)
    }
  }
})

t.test('userinfo that reports an error with status 200: the log has it', async (t) => {
  const provider = plain(({ openid, nickname }: { openid: string; nickname: string }) => ({
    id: openid,
    name: nickname
  }))
  const log = await fail(t, { provider }, ({ issuer: { faults } }) => {
    faults.userinfo = () => Response.json({ errcode: 41_001, errmsg: 'access_token missing' })
  })
  t.match(log, /profile failed.*the server said \\"41001\\": \\"access_token missing/)
  const standard = await fail(t, { provider: { idToken: false } }, ({ issuer: { faults } }) => {
    faults.userinfo = () => Response.json({ error: 'invalid_token', error_description: 'for another resource' })
  })
  t.match(standard, /userinfo failed.*the server said \\"invalid_token\\": \\"for another resource/)
})

const lacking: readonly (readonly [title: string, profile: Toward, says: RegExp])[] = [
  ['the id', ({ user_id }: { user_id?: string }) => ({ id: user_id ?? '' }), /the response has no \\"user_id\\"/],
  [
    'the text of nothing',
    ({ user_id }: { user_id?: string }) => ({ id: `${user_id}` }),
    /the response has no \\"user_id\\"/
  ],
  [
    'an object in it',
    ({ data }: { data: { user: { id: string } } }) => ({ id: data.user.id }),
    /the response has no \\"data\\"/
  ],
  [
    'a field of an object',
    ({ address }: { address: { id: { value: string } } }) => ({ id: address.id.value }),
    /the response has no \\"address\.id\\"/
  ]
]

for (const [title, profile, expected] of lacking) {
  t.test(`a profile without ${title}: the message names the field`, async (t) => {
    const log = await fail(t, { provider: plain(profile) }, ({ issuer: { faults } }) => {
      faults.userinfo = () => Response.json({ sub: 'ada', address: { city: 'London' } })
    })
    t.match(log, expected)
  })
}

t.test('the log has the words of a server that has no metadata: Entra names an unknown tenant', async (t) => {
  const { browser, issuer, log } = start()
  const body = { error: 'invalid_tenant', error_description: "AADSTS90002: Tenant 'acme' not found." }
  issuer.faults.respond = ({ url }) => (url.includes('/.well-known/') ? Response.json(body, { status: 400 }) : null)
  const refused = await browser.submit('/api/auth/signin/demo', {})
  t.equal(parameter(refused, 'error'), 'OAuthSignin')
  t.notMatch((await browser.follow(refused)).body, /AADSTS/)
  t.match(log, [
    { metadata: { message: /got 400: the server said "invalid_tenant": "AADSTS90002: Tenant 'acme' not found\."/ } }
  ])
})

/** What is at the address of the keys, and what the log has to say of it. */
const keyResponses: readonly (readonly [title: string, response: () => Response, says: RegExp])[] = [
  [
    'an error of the server',
    () => Response.json({ error: 'temporarily_unavailable', error_description: 'no database' }, { status: 503 }),
    /key set failed: https:\/\/issuer\.test\/\S+: expected a list of keys \(RFC 7517 §5\), got status 503 with application\/json: the server said "temporarily_unavailable": "no database"/
  ],
  [
    'a page of a proxy',
    () => new Response('<h1>Forbidden</h1>', { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } }),
    /key set failed: https:\S+ expected a list of keys .*, got status 403 with text\/html;/
  ],
  [
    'an error with status 200',
    () => Response.json({ errcode: 40_001, errmsg: 'invalid credential' }),
    /got status 200 with application\/json: the server said "40001": "invalid credential"/
  ],
  [
    'a page with status 200',
    () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } }),
    /key set failed: https:\S+ expected JSON, got text\/html/
  ],
  ['no content type', () => new Response(new Uint8Array(), { status: 404 }), /got status 404 with no content type/]
]

for (const [title, respond, expected] of keyResponses) {
  t.test(`the log says why the keys cannot be read: ${title}`, async (t) => {
    const { browser, issuer, log } = start()
    issuer.faults.respond = ({ url }) => (/jwks|keys/.test(url) ? respond() : null)
    const end = await comeBack(browser, await issuer.authorize(await begin(browser)))
    t.equal(parameter(end, 'error'), 'OAuthCallback')
    t.notMatch((await browser.follow(end)).body, /no database|invalid credential|Forbidden/)
    t.match(log, [{ metadata: { message: expected } }])
  })
}
