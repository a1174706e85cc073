import { findSlowTexts } from '@postern/testkit/linear-time'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { defaults } from '../../src/config/defaults.ts'
import { parseCookies } from '../../src/cookies/parse.ts'
import { acceptedLanguages } from '../../src/http/accept-language.ts'
import { parseBody, parseForm, parseJson } from '../../src/http/body.ts'
import { getBrowserName } from '../../src/http/browser-name.ts'
import { bufferResponse, checkJson } from '../../src/http/read-response.ts'
import { parseAccountId } from '../../src/model/account-id.ts'
import { toDisplayName, toDisplayText } from '../../src/model/display-text.ts'
import { parseExactJson, quoteLongNumbers } from '../../src/model/exact-json.ts'
import { isIssuer, tokenIssuer } from '../../src/model/issuer.ts'
import { normalizeEmailAddress } from '../../src/model/normalize-email-address.ts'
import { isPublicAddress } from '../../src/node/public-ip.ts'
import { parseEmailAddress, parseName, parsePicture } from '../../src/oauth/profile.ts'
import { getClientInfo } from '../../src/sessions/session-metadata.ts'
import { parseSessionToken } from '../../src/sessions/session-token.ts'
import { clientKey } from '../../src/sign-in-methods/client-key.ts'
import {
  getRateLimitAddress,
  getRateLimitIdentifier,
  normalizeIdentifier
} from '../../src/sign-in-methods/rate-limit-identifier.ts'
import { getTag } from '../../src/tokens/application-tag.ts'
import { jwe, maxTokenLength } from '../../src/tokens/jwe.ts'
import { decodeJws } from '../../src/tokens/jws.ts'
import { begin, comeBack, start } from '../flows/start.ts'

/** The most characters of a header, and of a URL, that Node accepts: 16 KiB with the names and everything else. */
const ofHeader = 16_000
const ofBody = defaults.bodyLimitBytes
const ofProvider = defaults.outboundMaxBytes

/** Calls a parser, whose refusal is a result. */
const attempt = async (parse: () => unknown): Promise<unknown> => {
  try {
    return await parse()
  } catch {
    return null
  }
}

const part = (text: string): string => Buffer.from(text).toString('base64url')
const headers = (name: string, value: string): object => ({ client: null, headers: { [name]: value } })
const never = new AbortController().signal
const read = (text: string) => bufferResponse(Promise.resolve(new Response(text)), ofProvider, () => never)

/** Parsers of data from outside, with the most characters that reach them, and the forms that a text is tried in. */
const parsers: Readonly<Record<string, readonly [max: number, parse: (text: string) => unknown]>> = {
  cookies: [ofHeader, parseCookies],
  'a cookie': [ofHeader, (text) => parseCookies(`a=${text}`)],
  'the name of a cookie': [ofHeader, (text) => parseCookies(`${text}=a`)],
  'a form or a query': [ofBody, parseForm],
  'a field of a form': [ofBody, (text) => parseForm(`a=${text}`)],
  JSON: [ofBody, parseJson],
  'a value in JSON': [ofBody, (text) => parseJson(`{"a":${text}}`)],
  'a text in JSON': [ofBody, (text) => parseJson(`{"a":"${text}"}`)],
  'Content-Type': [ofHeader, (text) => parseBody(text, '{}')],
  'Accept-Language': [ofHeader, acceptedLanguages],
  'the weight of a language': [ofHeader, (text) => acceptedLanguages(`en;q=${text}`)],
  'User-Agent': [ofHeader, getBrowserName],
  'User-Agent of a session': [ofHeader, (text) => getClientInfo(Object(headers('user-agent', text)))],
  'a forwarded address': [ofHeader, clientKey],
  'a forwarded address with a port': [ofHeader, (text) => clientKey(`[${text}]:1`)],
  'a forwarded mapped address': [ofHeader, (text) => clientKey(`::ffff:${text}`)],
  'an address of a name server': [ofHeader, isPublicAddress],
  'an email address': [ofBody, (text) => normalizeEmailAddress(text)],
  'the local part of an email address': [ofBody, (text) => normalizeEmailAddress(`${text}@example.com`)],
  'the domain of an email address': [ofBody, (text) => normalizeEmailAddress(`ada@${text}`)],
  'an address whose mails are counted': [ofBody, getRateLimitAddress],
  'an identifier that is counted': [ofBody, getRateLimitIdentifier],
  'a username': [ofBody, normalizeIdentifier],
  'a session token': [maxTokenLength, (text) => [getTag(text), getTag(`p1.${text}`), parseSessionToken(text)]],
  'a JWE': [maxTokenLength, (text) => jwe.decrypt(Buffer.alloc(32), text)],
  'the header of a JWE': [maxTokenLength, (text) => jwe.decrypt(Buffer.alloc(32), `${text}..a.a.a`)],
  'a JWS': [ofProvider, decodeJws],
  'a signature': [ofProvider, (text) => decodeJws(`${part('{}')}.${part('{}')}.${text}`)],
  'claims of a JWS': [ofProvider * 0.7, (text) => decodeJws(`${part('{}')}.${part(`{"a":${text}}`)}.AAAA`)],
  'JSON of a provider': [ofProvider, parseExactJson],
  'a value in JSON of a provider': [ofProvider, (text) => parseExactJson(`{"a": ${text}}`)],
  'a number in JSON of a provider': [ofProvider, (text) => quoteLongNumbers(`{"a":0.1${text}1}`)],
  'a list in JSON of a provider': [ofProvider, (text) => quoteLongNumbers(`[1e400,"${text}`)],
  'a response of a provider': [ofProvider, read],
  'the type of a response': [ofHeader, (text) => checkJson(new Response('', { headers: { 'content-type': text } }))],
  'an issuer': [ofProvider, (text) => isIssuer(text, 'https://issuer.test')],
  'the path of an issuer': [ofProvider, (text) => isIssuer(`https://issuer.test/${text}`, 'https://issuer.test')],
  'a tenant': [
    ofProvider * 0.7,
    (text) => tokenIssuer('https://a.test/{tenantid}', `a.${part(JSON.stringify({ tid: text }))}`)
  ],
  'an account id': [ofProvider, parseAccountId],
  'a name': [ofProvider, parseName],
  'a picture': [ofProvider, parsePicture],
  'an address of a provider': [ofProvider, parseEmailAddress],
  'the domain of an address of a provider': [ofProvider, (text) => parseEmailAddress(`ada@${text}`)],
  'a text that others read': [ofProvider, toDisplayText],
  'a name that others read': [ofProvider, toDisplayName]
}

if (isLong) {
  t.test('work that grows with the square of a text is found, linear work is not', async (t) => {
    const options = { maxLength: 16_000, floor: 5, rounds: [2, 20] } as const
    t.match(await findSlowTexts((text) => text.replace(/a+$/, ''), options), [/"a" .*, then !/])
    t.same(await findSlowTexts((text) => text.replace(/^a+/, ''), options), [])
  })
}

for (const [name, [maxLength, parse]] of Object.entries(parsers)) {
  t.test(`${name}: twice as long takes at most three times as long (CWE-1333)`, async (t) => {
    // Work that grows with the square takes minutes for a response of a megabyte. V8 itself needs some 200 ms to refuse a
    // million brackets, and 5 ms for half of them.
    const floor = maxLength > ofBody ? 1000 : 20
    t.same(await findSlowTexts((text) => attempt(() => parse(text)), { maxLength, floor, rounds: [1, 200] }), [])
  })
}

/** What a provider can put into a response, by endpoint. */
const responses: readonly (readonly [endpoint: string, respond: (text: string, honest: object) => string])[] = [
  ...['openid-configuration', 'token', 'jwks'].flatMap(
    (endpoint): (readonly [string, (text: string, honest: object) => string])[] => [
      [endpoint, (text) => text],
      [endpoint, (text, honest) => JSON.stringify({ ...honest, more: text })],
      [endpoint, (text, honest) => `{"more":[${text}],${JSON.stringify(honest).slice(1)}`]
    ]
  ),
  ['openid-configuration', (text, honest) => JSON.stringify({ ...honest, issuer: `https://issuer.test/${text}` })],
  ['openid-configuration', (text, honest) => JSON.stringify({ ...honest, token_endpoint: text })],
  ['token', (text, honest) => JSON.stringify({ ...honest, id_token: text })],
  ['token', (text, honest) => JSON.stringify({ ...honest, id_token: `${part('{"alg":"ES256"}')}.${text}.AAAA` })],
  ['token', (text, honest) => JSON.stringify({ ...honest, scope: text })],
  ['token', (text, honest) => JSON.stringify({ ...honest, expires_in: text })],
  ['token', (text) => JSON.stringify({ error: text, error_description: text })],
  ['jwks', (text) => JSON.stringify({ keys: [{ kty: 'RSA', n: text, e: 'AQAB' }] })]
]

if (isLong) {
  for (const [index, [endpoint, respond]] of responses.entries()) {
    t.test(`a sign-in whose provider sends text ${index} at ${endpoint} takes linear time`, async (t) => {
      const work = async (text: string): Promise<unknown> => {
        const { issuer, browser } = start()
        issuer.faults.result = async (response, { url }) =>
          url.endsWith(endpoint) ? new Response(respond(text, Object(await response.json())), response) : response
        const started = await begin(browser).catch(() => null)
        return started && comeBack(browser, await issuer.authorize(started))
      }
      await work('a')
      t.same(await findSlowTexts(work, { maxLength: ofProvider * 0.45, floor: 1000, rounds: [0, 60] }), [])
    })
  }
}
