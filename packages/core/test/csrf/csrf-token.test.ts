import { createHash } from 'node:crypto'
import { createRandom } from '@postern/testkit'
import t from 'tap'
import { serializeCookies } from '../../src/cookies/serialize.ts'
import { CsrfTokens } from '../../src/csrf/csrf-token.ts'
import { isOwnOrigin } from '../../src/csrf/own-form.ts'

const cookie = { name: 'csrf', options: { path: '/', httpOnly: true } }
const secrets = ['a new secret', 'an old secret']
const token = 'ab'.repeat(32)
/** next-auth v4's way, in its own words. */
const hash = (text: string, secret: string): string => createHash('sha256').update(`${text}${secret}`).digest('hex')
const good = hash(token, 'a new secret')
const signed = (text: string): string => `${text}|${hash(text, 'a new secret')}`

const cases: readonly (readonly [title: string, value: string | null, then: string | null])[] = [
  ['a cookie of Postern', `${token}|${good}`, token],
  ['a cookie that an older secret wrote', `${token}|${hash(token, 'an old secret')}`, token],
  ['no cookie', null, null],
  ['an empty cookie', '', null],
  ['a token alone', token, null],
  ['a token without a hash', `${token}|`, null],
  ['a hash without a token', `|${good}`, null],
  ['token and hash swapped', `${good}|${token}`, null],
  ['another token', `${'cd'.repeat(32)}|${good}`, null],
  ...[16, 48, 256].map((bytes) => [`${bytes} bytes`, signed('ab'.repeat(bytes)), 'ab'.repeat(bytes)] as const),
  ['15 bytes', signed('ab'.repeat(15)), null],
  ['257 bytes', signed('ab'.repeat(257)), null],
  ['half a byte more', signed(`${token}a`), null],
  ['a truncated hash', `${token}|${good.slice(0, -1)}`, null],
  ['a longer hash', `${token}|${good}0`, null],
  ['another secret', `${token}|${hash(token, 'another secret')}`, null],
  ['no secret', `${token}|${hash(token, '')}`, null],
  ['upper case', `${token.toUpperCase()}|${hash(token.toUpperCase(), 'a new secret')}`, null],
  ['a third part', `${token}|${good}|`, null],
  ['a line break', `${token}|${good}\n`, null]
]

const csrf = new CsrfTokens(cookie, secrets, createRandom(), 32)

for (const [title, value, then] of [...cases, ...cases]) {
  t.test(`csrf-1: ${then ? 'a token' : 'none'}: ${title}`, async (t) => {
    t.equal(await csrf.read(new Map(value === null ? [] : [['csrf', value]])), then)
  })
}

t.test('the cache of cookies is per list of secrets', async (t) => {
  const tokens = new CsrfTokens(cookie, secrets, createRandom(), 32)
  const others = new CsrfTokens(cookie, ['another secret'], createRandom(), 32)
  const issued = await tokens.issue()
  const cookies = new Map([['csrf', issued.cookies.get('csrf')?.value ?? '']])
  for (let times = 0; times < 2; times++) {
    t.equal(await tokens.read(cookies), issued.token)
    t.equal(await others.read(cookies), null)
  }
})

t.test('a new token is written as next-auth v4 reads it, until the browser closes', async (t) => {
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(0xab)
  const { cookies } = await new CsrfTokens(cookie, secrets, random, 32).issue()
  t.same(serializeCookies(cookies, 0), [`csrf=${token}%7C${good}; Path=/; HttpOnly`])
})

t.test('a browser keeps its token from page to page; one that has none, or a foreign one, gets one', async (t) => {
  const first = await csrf.readOrIssue(new Map([['csrf', 'foreign']]))
  t.match(first.token, /^[\da-f]{64}$/)
  const held = new Map([['csrf', first.cookies.get('csrf')?.value ?? '']])
  t.same(await csrf.readOrIssue(held), { token: first.token, cookies: new Map() })
  t.not((await csrf.issue()).token, first.token)
})

const own = 'https://app.test'
const listed = 'https://www.app.test'
const origins: readonly (readonly [site: string | null, origin: string | null, passes: boolean])[] = [
  ['same-origin', own, true],
  ['same-origin', null, true],
  ['same-origin', 'null', true],
  ['none', null, true],
  ['same-site', 'https://other.app.test', false],
  ['same-site', null, false],
  ['cross-site', 'https://evil.test', false],
  ['cross-site', 'null', false],
  ['cross-site', own, false],
  [null, own, true],
  [null, 'null', false],
  [null, null, true],
  ['cross-site', listed, true],
  ['same-site', listed, true],
  [null, listed, true],
  [null, 'https://evil.test', false],
  [null, 'https://app.test.evil.test', false],
  [null, 'https://app.test:8443', false],
  [null, 'http://app.test', false],
  [null, 'https://APP.test', false],
  [null, `${own}, https://evil.test`, false],
  ['Same-Origin', own, false],
  ['', own, false]
]

for (const [site, origin, passes] of origins) {
  t.test(`csrf-1: ${passes ? 'passes' : 'refused'}: Sec-Fetch-Site ${site}, Origin ${origin}`, async (t) => {
    const headers = { ...(site === null ? {} : { 'sec-fetch-site': site }), ...(origin === null ? {} : { origin }) }
    t.equal(isOwnOrigin({ headers }, [own, listed]), passes)
  })
}
