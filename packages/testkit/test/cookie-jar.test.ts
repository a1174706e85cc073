import t from 'tap'
import { createClock, createCookieJar } from '../src/index.ts'

const url = new URL('https://app.test/api/auth/signin')
const at = (path: string, site: string | null = null, method = 'GET') => ({
  url: new URL(path, url),
  method,
  site
})

t.test('a cookie goes along under its path only, longest path first', async (t) => {
  const jar = createCookieJar()
  jar.store('a=1; Path=/', url)
  jar.store('b=2; Path=/api/auth', url)
  jar.store('c=3', url)
  t.equal(jar.header(at('/api/auth/session')), 'b=2; c=3; a=1')
  t.equal(jar.header(at('/api/authentic')), 'a=1')
  t.equal(jar.header(at('/')), 'a=1')
  t.equal(createCookieJar().header(at('/')), null)
})

t.test('the same name under two paths is two cookies', async (t) => {
  const jar = createCookieJar()
  jar.store('a=1; Path=/', url)
  jar.store('a=2; Path=/api', url)
  t.equal(jar.all().length, 2)
  t.equal(jar.get('a'), '2')
  jar.store('a=; Path=/; Max-Age=0', url)
  t.equal(jar.get('a'), '2', 'deleting under another path leaves it')
  jar.delete('a')
  t.equal(jar.get('a'), null)
})

t.test('a cookie ends with its Max-Age, else with its Expires', async (t) => {
  const clock = createClock(new Date('2030-01-01T00:00:00Z'))
  const jar = createCookieJar(clock)
  jar.store('session=1', url)
  jar.store('short=1; Max-Age=60; Expires=Tue, 01 Jan 2040 00:00:00 GMT', url)
  jar.store('dated=1; Expires=Tue, 01 Jan 2030 00:02:00 GMT', url)
  const names = () => jar.all().map(({ name }) => name)
  t.strictSame(names(), ['session', 'short', 'dated'])
  clock.advance(60)
  t.strictSame(names(), ['session', 'dated'])
  clock.advance(60)
  t.strictSame(names(), ['session'])
})

t.test('a copy goes its own way', async (t) => {
  const jar = createCookieJar()
  jar.set('a', '1')
  const copy = jar.clone()
  copy.set('a', '2')
  jar.set('b', '3')
  t.equal(jar.header(at('/')), 'a=1; b=3')
  t.equal(copy.header(at('/')), 'a=2')
  jar.clear()
  t.strictSame(jar.all(), [])
})

t.test('SameSite holds cookies back from other sites', async (t) => {
  const jar = createCookieJar()
  jar.store('strict=1; SameSite=Strict', url)
  jar.store('lax=1; SameSite=lax', url)
  jar.store('silent=1', url)
  jar.store('none=1; SameSite=None; Secure', url)
  const path = '/api/auth/x'
  t.equal(jar.header(at(path, 'same-origin', 'POST')), 'strict=1; lax=1; silent=1; none=1')
  t.equal(jar.header(at(path, 'cross-site')), 'lax=1; silent=1; none=1')
  t.equal(jar.header(at(path, 'cross-site', 'POST')), 'none=1')
})

t.test('what was set can be inspected', async (t) => {
  const set = createCookieJar().store('a=b=c; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=900', url)
  t.match(set, {
    name: 'a',
    value: 'b=c',
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
    maxAge: 900,
    expires: null,
    domain: null
  })
})

const violations: readonly [origin: string, setCookie: string, complaint: RegExp][] = [
  ['http://app.test', 'a=1; Secure', /is Secure, but the origin is not https/],
  ['https://app.test', '__Secure-a=1; Path=/', /asks for Secure/],
  ['https://app.test', '__Host-a=1; Path=/', /asks for Secure/],
  ['https://app.test', '__Host-a=1; Path=/api; Secure', /asks for Path=\//],
  ['https://app.test', '__Host-a=1; Secure', /asks for Path=\//],
  ['https://app.test', '__host-a=1; Path=/; Domain=app.test; Secure', /allows no Domain/],
  ['https://app.test', 'a=1; Domain=evil.test', /names another domain/],
  ['https://app.test', 'a=1; Domain=p.test', /names another domain/],
  ['https://app.test', 'a=1; SameSite=None', /SameSite=None without Secure/],
  ['https://app.test', 'a=1; SameSite=Loose', /has SameSite=Loose/],
  ['https://app.test', 'a=1; Max-Age=soon', /has Max-Age=soon/],
  ['https://app.test', 'a=1; Expires=never', /has Expires=never/],
  ['https://app.test', `a=${'x'.repeat(4096)}`, /longer than 4096/],
  ['https://app.test', 'a=1\r\nb=2', /control characters/],
  ['https://app.test', '=1', /has no name/],
  ['https://app.test', 'a', /has no name/]
]

for (const [origin, setCookie, complaint] of violations) {
  t.test(`refuses ${JSON.stringify(setCookie).slice(0, 60)} from ${origin}`, async (t) => {
    const jar = createCookieJar()
    t.throws(() => jar.store(setCookie, new URL(origin)), complaint)
    t.strictSame(jar.all(), [])
  })
}

t.test('a complaint does not contain the value of the cookie', async (t) => {
  t.throws(() => createCookieJar().store('__Host-a=canary; Path=/', url), { message: /^((?!canary).)*$/ })
})
