import t from 'tap'
import { start } from './start.ts'
t.test('x', async (t) => {
  const { app, log } = await start(t, {})
  const paths = ['', '/', '/signin', '/signin/', '/signin/demo', '/signin/email', '/signin/credentials', '/signin/nobody', '/callback', '/callback/demo', '/callback/email', '/callback/credentials', '/callback/nobody', '/signout', '/signout/x', '/session', '/providers', '/csrf', '/verify-request', '/error', '/welcome', '/assets/x', '/_log', '/unknown', '/unknown/x/y', '/signin/' + 'x'.repeat(200), '/%zz', '/signin/%E0%A4%A', '//signin','/signin/demo/x', '/SIGNIN']
  for (const p of paths) for (const m of ['GET','HEAD','POST','PUT','PATCH','DELETE','OPTIONS'] as const) {
    const r = await app.inject({ method: m, url: '/api/auth' + p, headers: { host: 'app.test' } })
    console.log(m.padEnd(8), p.slice(0,40).padEnd(24), r.statusCode, r.headers['content-type'], '|', r.headers['cache-control'], '|', r.headers['content-length'], '|', r.headers.location ?? r.body.slice(0, 90).replaceAll('\n', ' '), '|', [r.headers['set-cookie'] ?? []].flat().map(c => c?.split('=')[0]).join())
  }
  console.log(log.filter(l => JSON.parse(l).level > 30).join(''))
  const r = await app.inject({ method: 'POST', url: '/api/auth/signin/demo', headers: { host: 'app.test', 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=1&'.repeat(1500) })
  console.log(r.statusCode, r.headers.location, r.body)
  t.ok(1)
})
