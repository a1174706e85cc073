import './page.ts'
import t from 'tap'
import { Client } from '../src/client.ts'
import { addPasskey } from '../src/index.ts'
import { page, reset, setFetch } from './page.ts'
import { createServer, type Server } from './server.ts'

t.beforeEach(reset)

const bytes = (...values: number[]): ArrayBuffer => Uint8Array.from(values).buffer
const webauthn = { passkey: { id: 'passkey', type: 'webauthn', name: 'Passkey', signinUrl: '', callbackUrl: '' } }

/** The authenticator of the page; it returns what it was asked for in `asked`. */
function setCredentials(respond: (options: object) => Promise<object | null>): object[] {
  const asked: object[] = []
  const answer = (options: object): Promise<object | null> => {
    asked.push(options)
    return respond(options)
  }
  Object.defineProperty(navigator, 'credentials', { value: { get: answer, create: answer }, configurable: true })
  return asked
}

const response = {
  clientDataJSON: bytes(1, 2, 3),
  authenticatorData: bytes(251, 239, 190),
  signature: bytes(255),
  userHandle: null,
  getTransports: () => ['internal']
}

/** A server with passkeys. */
function serve(): Server {
  const server = createServer()
  server.results.set('providers', () => Response.json(webauthn))
  server.results.set('signin', () => Response.json({ props: { options: { challenge: '--__', rpId: 'app.test' } } }))
  return server
}

t.test('signIn asks the authenticator, and posts what it signed', async (t) => {
  const asked = setCredentials(async () => ({ id: 'abc', response }))
  const server = serve()
  const result = await new Client(server.send).signIn('passkey', { redirect: false, callbackUrl: '/next' })
  t.match(result, { ok: true, error: null, status: 200 })
  t.match(asked, [{ publicKey: { rpId: 'app.test', challenge: Uint8Array.of(251, 239, 255) } }])
  const [start, callback] = server.requests.filter(({ method }) => method === 'POST')
  t.match([start?.url, callback?.url], [/signin\/passkey$/, /callback\/passkey$/])
  const fields = new URLSearchParams(callback?.body)
  t.equal(fields.get('callbackUrl'), '/next')
  t.same(JSON.parse(fields.get('credential') ?? ''), {
    id: 'abc',
    rawId: 'abc',
    type: 'public-key',
    response: { clientDataJSON: 'AQID', authenticatorData: '----', signature: '_w', transports: ['internal'] }
  })
  await new Client(server.send).signIn('passkey')
  t.same(page.visited, ['https://app.test/after/callback'], 'by default the browser follows the URL')
})

t.test('a user who cancels stays on the page', async (t) => {
  for (const respond of [() => Promise.reject(new DOMException('no', 'NotAllowedError')), async () => null]) {
    setCredentials(respond)
    const server = serve()
    t.match(await new Client(server.send).signIn('passkey'), { ok: false, error: 'PasskeyCancelled', url: null })
    t.equal(server.requests.filter(({ url }) => url.includes('callback')).length, 0)
  }
  t.same(page.visited, [])
})

t.test('each reason for no passkey has its code', async (t) => {
  const reasons = {
    AbortError: 'PasskeyCancelled',
    SecurityError: 'PasskeyWrongDomain',
    NotSupportedError: 'PasskeyUnsupported',
    ConstraintError: 'PasskeyUnsupported',
    UnknownError: 'PasskeyFailed'
  }
  for (const [name, error] of Object.entries(reasons)) {
    setCredentials(() => Promise.reject(new DOMException('no', name)))
    t.match(await new Client(serve().send).signIn('passkey'), { ok: false, error, url: null }, name)
  }
  setCredentials(() => Promise.reject(new TypeError('no')))
  t.match(await new Client(serve().send).signIn('passkey'), { error: 'PasskeyFailed' })
  Object.defineProperty(navigator, 'credentials', { value: undefined, configurable: true })
  t.match(await new Client(serve().send).signIn('passkey'), { error: 'PasskeyUnsupported' })
})

t.test('addPasskey asks for a new credential, and posts it', async (t) => {
  const asked = setCredentials(async () => ({ id: 'abc', response }))
  const server = createServer()
  const user = { id: 'AQID', name: 'ada' }
  const options = { challenge: 'AQID', user, excludeCredentials: [{ type: 'public-key', id: '_w' }] }
  server.results.set('', () => Response.json({ options }))
  setFetch((url, init) => server.send(String(url), init))
  t.same(await addPasskey({ name: 'Laptop', mailCode: 'BCDFGHJK' }), { ok: true, error: null, url: null })
  t.match(asked, [
    {
      publicKey: {
        user: { id: Uint8Array.from([1, 2, 3]), name: 'ada' },
        excludeCredentials: [{ id: Uint8Array.of(255) }]
      }
    }
  ])
  const posted = server.requests.filter(({ method }) => method === 'POST')
  const paths = ['/api/auth/passkeys/code', '/api/auth/passkeys/options', '/api/auth/passkeys']
  t.same(
    posted.map(({ url }) => url),
    paths
  )
  const [verified, , added] = posted
  t.match(JSON.parse(verified?.body ?? ''), { mailCode: 'BCDFGHJK' })
  t.match(JSON.parse(added?.body ?? ''), { name: 'Laptop', credential: /"id":"abc"/ })
  setCredentials(() => Promise.reject(new DOMException('there', 'InvalidStateError')))
  t.match(await addPasskey(), { ok: false, error: 'PasskeyExists' })
})

t.test('addPasskey creates no credential if the mailed code is wrong', async (t) => {
  const asked = setCredentials(async () => ({ id: 'abc', response }))
  const server = createServer()
  server.results.set('', () => Response.json({ props: { problem: 'mailWrong' } }, { status: 400 }))
  setFetch((url, init) => server.send(String(url), init))
  t.match(await addPasskey({ mailCode: 'BBBBBBBB' }), { ok: false, error: 'mailWrong' })
  t.same(asked, [])
})

t.test('addPasskey sends the user to authenticate again, or says why it is refused', async (t) => {
  const refuse = (status: number, body: object): void => {
    const server = createServer()
    server.results.set('', () => Response.json(body, { status }))
    setFetch((url, init) => server.send(String(url), init))
  }
  const url = 'https://app.test/api/auth/verify?max_age=600'
  refuse(401, { url })
  t.same(await addPasskey({ redirect: false }), { ok: false, error: 'SessionRequired', url })
  t.same(page.visited, [])
  await addPasskey()
  t.same(page.visited, [url])
  refuse(401, { error: 'SessionRequired' })
  t.match(await addPasskey(), { ok: false, error: 'SessionRequired', url: null })
  refuse(400, { props: { problem: 'unverified' } })
  t.match(await addPasskey(), { error: 'unverified' })
  refuse(500, {})
  t.match(await addPasskey(), { error: 'PasskeyFailed' })
  setFetch(() => Promise.reject(new TypeError('offline')))
  await t.rejects(addPasskey(), { message: 'offline' })
})
