import { gzipSync } from 'node:zlib'
import type { Faults } from '../issuer/faults.ts'
import { at, faulty, getEndpoint, type HostileCase, type HostileModules, oneOf } from './hostile-case.ts'

const json = { 'content-type': 'application/json' } as const
const megabyte = new Uint8Array(1_000_000).fill(0x20)

/** A body with this many chunks, as fast as it is read. */
function pieces(count: number): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    pull: (controller) => {
      left -= 1
      if (left < 0) controller.close()
      else controller.enqueue(megabyte)
    }
  })
}

/** A body that never ends, one byte at a time. */
function drops(milliseconds: number): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(megabyte.subarray(0, 1)), milliseconds)
    },
    cancel: () => clearInterval(timer)
  })
}

const bodies: readonly HostileCase[] = [
  oneOf(
    '20 MB',
    at('token', () => new Response(pieces(20), { headers: json }))
  ),
  oneOf(
    'endless',
    at('token', () => new Response(pieces(Number.POSITIVE_INFINITY), { headers: json }))
  ),
  oneOf(
    'drop by drop',
    at('token', () => new Response(drops(20), { headers: json }))
  ),
  oneOf(
    'never',
    at('token', () => new Promise(() => undefined))
  )
]

const elsewhere = (status: number) => (): Response =>
  new Response(null, { status, headers: { location: 'https://elsewhere.evil.test/token' } })

/** Sends the normal response of an endpoint in another form. */
function resent(endpoint: string, change: (text: string) => Response | Promise<Response>): Partial<Faults> {
  return {
    result: async (response, request) => (getEndpoint(request) === endpoint ? change(await response.text()) : response)
  }
}

const bytes = (body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(body, { headers: { ...json, ...headers } })

const html = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/html' } })
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const forms: readonly HostileCase[] = [
  oneOf('tokens as HTML', resent('token', html)),
  oneOf('userinfo as HTML', resent('userinfo', html)),
  oneOf('metadata as HTML', resent('openid-configuration', html)),
  oneOf(
    'UTF-16',
    resent('token', (text) => bytes(new Uint8Array(Buffer.from(text, 'utf16le'))))
  ),
  oneOf(
    'a byte that is not UTF-8',
    resent('token', (text) => bytes(new Uint8Array(Buffer.from(text.replace('{', '{"name":"René",'), 'latin1'))))
  ),
  oneOf(
    'compressed without being asked',
    resent('token', (text) => bytes(new Uint8Array(gzipSync(text)), { 'content-encoding': 'gzip' }))
  ),
  oneOf(
    'gzip bomb',
    resent('token', () =>
      bytes(new Uint8Array(gzipSync(Buffer.alloc(20_000_000, 0x20))), { 'content-encoding': 'gzip' })
    )
  ),
  oneOf(
    'nested 100,000 deep',
    resent('token', () => new Response(nested, { headers: json }))
  ),
  oneOf(
    'a claim nested 100,000 deep',
    resent('userinfo', (text) => new Response(text.replace('{', `{"deep":${nested},`), { headers: json }))
  ),
  oneOf(
    'cut off',
    resent('token', (text) => new Response(text.slice(0, -10), { headers: json }))
  ),
  oneOf(
    'a list',
    resent('token', (text) => new Response(`[${text}]`, { headers: json }))
  ),
  oneOf(
    'null',
    resent('userinfo', () => new Response('null', { headers: json }))
  )
]

/** Faults in responses. */
export const answerModules: HostileModules = {
  'H10 token response huge, endless or slow': bodies,
  'H11 endpoints that redirect to another host': [
    ...[302, 307].map((status) => oneOf(`token endpoint, ${status}`, at('token', elsewhere(status)))),
    oneOf('metadata', at('openid-configuration', elsewhere(302))),
    oneOf('key set', at('jwks', elsewhere(302))),
    oneOf('userinfo', at('userinfo', elsewhere(307)))
  ],
  'H12 answers that are not JSON in UTF-8': forms,
  'H23 access token absent, or of an odd type': [
    oneOf('absent', { noAccessToken: true }),
    oneOf('empty', { tokenFields: { access_token: '' } }),
    oneOf('a number', { tokenFields: { access_token: 7 } }),
    oneOf('type mac', { tokenFields: { token_type: 'mac' } }),
    oneOf('no type', { tokenFields: { token_type: undefined } })
  ],
  'H24 visitor leaves while the issuer answers': faulty({})
}
