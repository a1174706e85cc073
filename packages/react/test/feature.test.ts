import './page.ts'
import t from 'tap'
import { callFeature, FeatureCallError } from '../src/feature.ts'
import { setFetch } from './page.ts'
import { createServer, type Server } from './server.ts'

/** A server that answers every route of the feature with a response. */
function serve(respond: () => Response): Server {
  const server = createServer()
  server.results.set('', respond)
  setFetch((url, init) => server.send(String(url), init))
  return server
}

t.test('a feature is called with the CSRF token, and its response is JSON', async (t) => {
  const server = serve(() => Response.json({ note: 'hi' }))
  t.same(await callFeature('notes'), { note: 'hi' })
  t.same(await callFeature('/notes', { method: 'POST', body: { note: 'hi' } }), { note: 'hi' })
  t.same(await callFeature('notes', { method: 'DELETE' }), { note: 'hi' })
  const calls = server.requests.filter(({ url }) => url.endsWith('/notes'))
  const sent = calls.map(({ method, url, body, headers }) => [method, url, body, headers.get('x-csrf-token')])
  t.same(sent, [
    ['GET', '/api/auth/notes', '', null],
    ['POST', '/api/auth/notes', '{"note":"hi"}', 'token'],
    ['DELETE', '/api/auth/notes', '', 'token']
  ])
})

t.test('a call that a feature refuses throws its status and body', async (t) => {
  serve(() => Response.json({ error: 'NoteLocked' }, { status: 403 }))
  await t.rejects(callFeature('notes'), new FeatureCallError(403, { error: 'NoteLocked' }))
  serve(() => new Response('down', { status: 502 }))
  await t.rejects(callFeature('notes'), new FeatureCallError(502, null))
})

t.test('a call that a feature refuses for a while throws the seconds of Retry-After', async (t) => {
  for (const [header, retryAfter] of [
    ['2', 2],
    ['0', 0],
    ['Fri, 31 Dec 1999 23:59:59 GMT', null],
    ['-1', null],
    ['', null],
    [null, null]
  ] as const) {
    const headers: HeadersInit = header === null ? {} : { 'retry-after': header }
    serve(() => Response.json({ error: 'RateLimited' }, { status: 429, headers }))
    const error: unknown = await callFeature('notes').catch((thrown: unknown) => thrown)
    t.match(error, { status: 429, body: { error: 'RateLimited' } })
    t.equal(error instanceof FeatureCallError && error.retryAfter, retryAfter, `${header}`)
  }
})
