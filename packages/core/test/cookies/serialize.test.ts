import { parseSetCookie } from '@postern/testkit'
import t from 'tap'
import { parseCookies } from '../../src/cookies/parse.ts'
import { serializeCookie, serializeCookies } from '../../src/cookies/serialize.ts'
import { clearCookie, joinCookies, noCookies, setCookie } from '../../src/cookies/set-cookies.ts'
import type { CookieAttributes } from '../../src/model/cookie.ts'
import { texts } from '../texts.ts'

const now = Date.parse('2030-01-01T00:00:00Z')
const all: CookieAttributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: true }
const serialize = (name: string, value: string, attributes: CookieAttributes, expires: Date | null = null): string =>
  serializeCookie(name, { value, attributes, expires }, now)

const written: readonly (readonly [title: string, text: string, then: string])[] = [
  ['a cookie of the session', serialize('a', '1', all), 'a=1; Path=/; HttpOnly; Secure; SameSite=Lax'],
  ['no attributes at all', serialize('a', '1', {}), 'a=1'],
  [
    'an end, both ways that browsers read',
    serialize('a', '1', { path: '/' }, new Date(now + 900_000)),
    'a=1; Max-Age=900; Expires=Tue, 01 Jan 2030 00:15:00 GMT; Path=/'
  ],
  [
    'an end in the past is Max-Age=0',
    serialize('a', '', { path: '/' }, new Date(0)),
    'a=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/'
  ],
  ['a domain', serialize('a', '1', { domain: 'app.test' }), 'a=1; Domain=app.test'],
  ['SameSite=Strict', serialize('a', '1', { sameSite: 'strict' }), 'a=1; SameSite=Strict'],
  ['SameSite=None', serialize('a', '1', { sameSite: 'none', secure: true }), 'a=1; Secure; SameSite=None'],
  ['a value that needs encoding', serialize('a', 'ä; b=c', {}), 'a=%C3%A4%3B%20b%3Dc']
]

for (const [title, text, then] of written) {
  t.test(title, async (t) => {
    t.equal(text, then)
  })
}

const refused: readonly (readonly [title: string, name: string, attributes: CookieAttributes])[] = [
  ['__Secure- without Secure', '__Secure-a', { path: '/' }],
  ['__Host- without Secure', '__Host-a', { path: '/' }],
  ['__Host- with another path', '__Host-a', { secure: true, path: '/api' }],
  ['__Host- without a path', '__Host-a', { secure: true }],
  ['__Host- with a domain', '__Host-a', { secure: true, path: '/', domain: 'app.test' }],
  ['SameSite=None without Secure', 'a', { sameSite: 'none' }],
  ['an empty name', '', {}],
  ['a name with a semicolon', 'a; Domain=evil.test', {}],
  ['a name with an equals sign', 'a=b', {}],
  ['a name with a line break', 'a\r\nSet-Cookie: b', {}],
  ['a name beyond ASCII', 'ä', {}],
  ['a path with another attribute', 'a', { path: '/; Domain=evil.test' }],
  ['a path with a line break', 'a', { path: '/\r\nX: y' }],
  ['a domain with another attribute', 'a', { domain: 'app.test; Secure' }]
]

for (const [title, name, attributes] of refused) {
  t.test(`refused: ${title}`, async (t) => {
    t.throws(() => serialize(name, 'value', attributes), TypeError)
  })
}

t.test('attributes that were written with one name excuse no other', async (t) => {
  const attributes = { path: '/' }
  t.equal(serialize('a', '1', attributes), 'a=1; Path=/')
  for (const name of ['__Secure-a', '__Host-a', 'a; Domain=evil.test', '']) {
    t.throws(() => serialize(name, '1', attributes), TypeError)
    t.throws(() => serialize(name, '1', attributes), TypeError, 'however often')
  }
  t.equal(serialize('b', '1', attributes), 'b=1; Path=/')
})

t.test('ends of one second are written alike, those of two are not', async (t) => {
  const getText = (end: number) => serialize('a', '1', {}, new Date(end)).replace(/.*Expires=/, '')
  for (const end of [now, now + 999, now + 1000, 0, -1, now + 0.5]) t.equal(getText(end), new Date(end).toUTCString())
  for (let second = 0; second < 50; second++) {
    const end = now + second * 1000
    t.equal(getText(end), new Date(end).toUTCString())
  }
})

t.test('any serialized cookie parses back to one name, one value and its own attributes', async (t) => {
  const hostile = ['a', 'Z', '0', '-', '_', '.', ';', '=', ',', ' ', '"', '%', '\\', '\t', '\r', '\n', '\0', 'ä', '😀']
  const tokens = ['a', 'Z', '0', '-', '_', '.', '!', '#', '$', '%', '&', "'", '*', '+', '^', '`', '|', '~']
  const names = [...texts(1, 500, tokens, 12), ...texts(2, 500, hostile, 6)]
  const values = texts(3, 1000, [...hostile, '; ', 'Domain=evil.test', '__Host-'], 20)
  const paths = texts(4, 1000, ['/', 'a', ';', ' ', '%', '=', 'Domain=evil.test', '\n', 'ü'], 4)
  let sent = 0
  for (const [index, name] of names.entries()) {
    const [value = '', path = ''] = [values[index], paths[index]]
    try {
      const text = serialize(name, value, { path, httpOnly: true })
      const parsed = parseSetCookie(text)
      const isSame = parsed.name === name && decodeURIComponent(parsed.value) === value
      const isAlone = parsed.domain === null && !parsed.secure && parsed.httpOnly && parsed.sameSite === null
      if (!isSame || !isAlone || (path && parsed.path !== path.trim()))
        t.fail(JSON.stringify({ name, value, path, text }))
      const back = parseCookies(`first=1; ${parsed.name}=${parsed.value}; last=2`)
      if (back.size !== 3 || back.get(name) !== value) t.fail(JSON.stringify({ name, value, back: [...back] }))
      sent++
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  t.ok(sent > 150, `${sent} cookies could be sent`)
})

t.test('steps are joined, the later cookie of a name counts', async (t) => {
  const one = setCookie('a', '1', {}, null)
  const two = joinCookies(one, setCookie('b', '2', {}, null), clearCookie('a', { path: '/' }))
  const cleared = 'a=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/'
  t.same(serializeCookies(two, now), ['b=2', cleared], 'cleared cookies come last')
  t.equal(joinCookies(noCookies, one, noCookies), one, 'nothing is copied if nothing is joined')
  t.same(serializeCookies(joinCookies(), now), [])
})
