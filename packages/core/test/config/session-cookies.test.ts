import t from 'tap'
import { type CookieScope, cookiesOverlap } from '../../src/config/session-cookies.ts'
import { start } from '../flows/start.ts'

const scope = (changes: Partial<CookieScope> = {}): CookieScope => ({
  ...{ name: 'session', path: '/', domain: null, hosts: ['app.test'] },
  ...changes
})

const cases: readonly (readonly [Partial<CookieScope>, Partial<CookieScope>, boolean])[] = [
  [{}, {}, true],
  [{}, { name: 'other' }, false],
  [{ path: '/a' }, { path: '/a' }, true],
  [{ path: '/a' }, { path: '/a/b' }, true],
  [{ path: '/a/' }, { path: '/a/b' }, true],
  [{ path: '/a' }, { path: '/ab' }, false],
  [{ hosts: ['a.test'] }, { hosts: ['b.test'] }, false],
  [{ hosts: ['a.test', 'b.test'] }, { hosts: ['b.test'] }, true],
  [{ hosts: null }, { hosts: ['b.test'] }, true],
  [{ domain: 'app.test', hosts: ['a.app.test'] }, { hosts: ['b.app.test'] }, true],
  [{ domain: 'app.test', hosts: ['a.app.test'] }, { domain: 'app.test', hosts: ['b.app.test'] }, true],
  [{ domain: 'app.test', hosts: ['a.app.test'] }, { hosts: ['b.test'] }, false],
  [{ domain: 'a.app.test', hosts: ['a.app.test'] }, { hosts: ['b.app.test'] }, false],
  [{ domain: 'pp.test', hosts: ['pp.test'] }, { hosts: ['app.test'] }, false]
]

for (const [one, other, expected] of cases) {
  t.test(`${JSON.stringify(one)} and ${JSON.stringify(other)}`, (t) => {
    t.equal(cookiesOverlap(scope(one), scope(other)), expected)
    t.equal(cookiesOverlap(scope(other), scope(one)), expected, 'the other way round')
    t.end()
  })
}

t.test('a registration names the cookies of its sessions', (t) => {
  const names = (options: Parameters<typeof start>[0]): readonly string[] =>
    start(options).auth.application.sessionCookies.map(({ name }) => name)
  t.same(names({}), ['__Secure-next-auth.session-token'])
  t.same(names({ url: 'http://localhost:3000' }), ['next-auth.session-token'])
  t.same(names({ url: undefined, trustHost: true }), ['__Secure-next-auth.session-token', 'next-auth.session-token'])
  const cookies = { sessionToken: { name: 'own', options: { path: '/own', domain: '.App.test' } } }
  const [cookie] = start({ cookies, useSecureCookies: false }).auth.application.sessionCookies
  t.same(cookie, { name: 'own', path: '/own', domain: 'app.test', hosts: ['app.test'] })
  const [listed] = start({ url: undefined, trustHost: ['A.test:8443', 'b.test'] }).auth.application.sessionCookies
  t.same(listed?.hosts, ['a.test', 'b.test'])
  t.equal(start({}).auth.application.id, '/api/auth')
  t.equal(start({ basePath: '/login' }).auth.application.id, '/login')
  t.equal(start({ basePath: '/login', applicationId: 'own' }).auth.application.id, 'own')
  t.end()
})
