import { gzipSync } from 'node:zlib'
import { getEndpoint } from '@postern/testkit/hostile'
import { isLong } from '@postern/testkit/long'
import t, { type Test } from 'tap'
import { clientSecret, openStage, type Transport } from './hostile-stage.ts'
import { fromAfar, getSession } from './start.ts'

/** The name of each request step in the log. */
const steps = {
  'openid-configuration': 'discovery',
  token: 'token request',
  jwks: 'key set',
  userinfo: 'userinfo'
} as const

const endpoints = Object.keys(steps) as (keyof typeof steps)[]

const json = { 'content-type': 'application/json' } as const
const megabyte = new Uint8Array(1_000_000).fill(0x20)

function pieces(count: number, milliseconds: number, bytes: number): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    pull: async (controller) => {
      if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
      left -= 1
      if (left < 0) controller.close()
      else controller.enqueue(megabyte.subarray(0, bytes))
    }
  })
}

const bomb = new Uint8Array(gzipSync(new Uint8Array(20_000_000)))
const nested = '['.repeat(100_000) + ']'.repeat(100_000)

type Answers = Readonly<Record<string, (honest: string) => Response | Promise<Response>>>

const text = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = json, status = 200) =>
  new Response(body, { status, headers })

/** Answers of every size, shape, speed and encoding: no one signs in with one of them, whichever endpoint gives it. */
const results: Answers = {
  'nothing, ever': () => new Promise(() => undefined),
  'a byte now and then': () => new Response(pieces(Number.POSITIVE_INFINITY, 20, 1), { headers: json }),
  endless: () => new Response(pieces(Number.POSITIVE_INFINITY, 0, 1_000_000), { headers: json }),
  '20 MB': () => new Response(pieces(20, 0, 1_000_000), { headers: json }),
  'a byte more than 1 MB': (honest) => text(honest.padEnd(1_048_577)),
  'a connection that is cut': () => Promise.reject(new Error('cut')),
  'no content': () => new Response(null, { status: 204 }),
  'nothing new': () => new Response(null, { status: 304 }),
  'an empty body': () => text(''),
  'a redirect': () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.evil.test/' } }),
  'a redirect to nowhere': () => new Response(null, { status: 307 }),
  'not found': () => text('<h1>not found</h1>', { 'content-type': 'text/html' }, 404),
  'too many requests': () => text('{}', { ...json, 'retry-after': '9999999' }, 429),
  'a failure': () => text('{"error":"server_error"}', json, 500),
  'a failure that does not end': () =>
    new Response(pieces(Number.POSITIVE_INFINITY, 20, 1), { status: 503, headers: json }),
  'a status that is none': () => text('{}', json, 599),
  HTML: (honest) => text(honest, { 'content-type': 'text/html' }),
  'a picture': () => text('GIF89a', { 'content-type': 'image/gif' }),
  'no content type': (honest) => text(new Uint8Array(Buffer.from(honest)), {}),
  null: () => text('null'),
  'a list': (honest) => text(`[${honest}]`),
  'a text': (honest) => text(JSON.stringify(honest)),
  'a number': () => text('1e999'),
  'an empty object': () => text('{}'),
  'an object of the language': () => text('{"__proto__":{"keys":[],"sub":"ada"}}'),
  'a text without quotes': (honest) => text(honest.replace(/:"([^"]+)"/, ':x$1')),
  'a short text': () => text('sub=ada&token=a_short_one'),
  'cut off': (honest) => text(honest.slice(0, -3)),
  'two documents': (honest) => text(honest + honest),
  'nested 100,000 deep': () => text(nested),
  'UTF-16': (honest) => text(new Uint8Array(Buffer.from(honest, 'utf16le'))),
  'bytes that are not text': () => text(new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d])),
  compressed: (honest) => text(new Uint8Array(gzipSync(honest)), { ...json, 'content-encoding': 'gzip' }),
  'a compressed bomb': () => text(bomb, { ...json, 'content-encoding': 'gzip' }),
  'an error with control characters': () =>
    text(JSON.stringify({ error: 'a\r\n\u001b[31m', error_description: 'x'.repeat(9000) }), json, 400)
}

/** Milliseconds: the time-out of one call, and what a busy machine adds. */
const budget = 800 + 3000

async function refuses(t: Test, transport: Transport, endpoint: keyof typeof steps, name: string): Promise<void> {
  const stage = await openStage(t, transport)
  const { browser, issuer, log } = stage
  const secrets: string[] = ['a_short_one', clientSecret, Buffer.from(clientSecret).toString('base64')]
  issuer.faults.result = async (response, request) => {
    const honest = await response.clone().text()
    if (getEndpoint(request) === 'token') {
      const tokens = honest.match(/[\w.-]{30,}/g) ?? []
      // Not even the beginning of one.
      secrets.push(...tokens.map((token) => token.slice(0, 8)))
    }
    return getEndpoint(request) === endpoint ? (results[name]?.(honest) ?? response) : response
  }
  const started = Date.now()
  let reply = await browser.submit('/api/auth/signin/demo', {})
  if (endpoint !== 'openid-configuration') {
    const address = await stage.atIssuer(reply)
    secrets.push(new URL(address).searchParams.get('code') ?? '')
    reply = await browser.open(address, { headers: fromAfar })
  }
  t.ok(Date.now() - started < budget, `${Date.now() - started} ms`)
  const { pathname, searchParams } = new URL(reply.location ?? '', 'https://app.test')
  t.equal(reply.status, 302)
  t.equal(pathname, '/api/auth/signin')
  t.equal(searchParams.get('error'), endpoint === 'openid-configuration' ? 'OAuthSignin' : 'OAuthCallback')
  t.same(await getSession(browser), {})
  const code = endpoint === 'openid-configuration' ? 'SIGNIN_OAUTH_ERROR' : 'OAUTH_CALLBACK_ERROR'
  const lines = log
    .map((line) => JSON.parse(line) as { readonly code?: string; readonly auth?: { message: string; ref: string } })
    .filter((line) => line.code === code)
  t.equal(lines.length, 1, 'one line')
  const { message = '', ref } = lines[0]?.auth ?? {}
  t.ok(message.startsWith(`demo: ${steps[endpoint]} failed: `), message.slice(0, 300))
  t.match(message, /; [^;]+\?$/, 'with what to check')
  t.equal(searchParams.get('ref'), ref)
  const expectedMessage = log.join('')
  t.notOk(
    secrets.some((one) => one !== '' && expectedMessage.includes(one)),
    'no secret in the log'
  )
}

/** What an endpoint answers with: in `npm test` each answer comes from one endpoint, the next one from the next. */
const getNames = (endpoint: keyof typeof steps): readonly string[] =>
  Object.keys(results).filter((_, index) => isLong || index % endpoints.length === endpoints.indexOf(endpoint))

for (const transport of isLong ? (['inject', 'HTTP'] as const) : (['HTTP'] as const)) {
  for (const endpoint of endpoints) {
    t.test(`${transport}: ${endpoint}`, { jobs: 4 }, async (t) => {
      for (const name of getNames(endpoint)) t.test(name, (t) => refuses(t, transport, endpoint, name))
    })
  }
}
