import './page.ts'
import t from 'tap'
import { signUpWithPasskey } from '../src/index.ts'
import { page, reset, setFetch } from './page.ts'
import type { Request } from './server.ts'

t.beforeEach(reset)

const bytes = (...values: number[]): ArrayBuffer => Uint8Array.from(values).buffer
const email = 'ada@example.com'
const created = { id: 'abc', response: { clientDataJSON: bytes(1), attestationObject: bytes(2) } }

/** The authenticator of the page; it returns what it was asked for. */
function setCredentials(respond: () => Promise<object | null>): object[] {
  const asked: object[] = []
  const create = (options: object): Promise<object | null> => {
    asked.push(options)
    return respond()
  }
  Object.defineProperty(navigator, 'credentials', { value: { create }, configurable: true })
  return asked
}

const options = { challenge: 'AQID', user: { id: 'AQID', name: 'app.test', displayName: 'app.test' } }
const shown = (): Response => Response.json({ screen: 'passkey/sign-up', props: { form: { options } } })

/** A server with sign-up. @returns What it was posted. */
function serve(respond: () => Response, show: () => Response = shown): Pick<Request, 'url' | 'body'>[] {
  const posted: Pick<Request, 'url' | 'body'>[] = []
  setFetch(async (url, { method, body } = {}) => {
    if (String(url).endsWith('/csrf')) return Response.json({ csrfToken: 'token' })
    if (method !== 'POST') return show()
    posted.push({ url: String(url), body: String(body) })
    return respond()
  })
  return posted
}

const url = 'https://app.test/api/auth/passkey/check-mail'

t.test('signUpWithPasskey creates a credential with the name of the address, and posts both', async (t) => {
  const asked = setCredentials(async () => created)
  const posted = serve(() => Response.json({ url }))
  t.same(await signUpWithPasskey({ email, redirect: false }), { ok: true, error: null, url })
  t.match(asked, [
    { publicKey: { user: { id: Uint8Array.from([1, 2, 3]), name: email, displayName: email }, excludeCredentials: [] } }
  ])
  t.match(posted, [{ url: '/api/auth/passkey/sign-up' }])
  t.match(JSON.parse(posted[0]?.body ?? ''), { email, credential: /"id":"abc"/ })
  t.same(page.visited, [])
  await signUpWithPasskey({ email })
  t.same(page.visited, [url], 'by default the browser goes to the page that asks for the code')
})

t.test('who cancels posts nothing, and a refusal is named', async (t) => {
  setCredentials(() => Promise.reject(new DOMException('no', 'NotAllowedError')))
  const posted = serve(() => Response.json({ url }))
  t.same(await signUpWithPasskey({ email }), { ok: false, error: 'PasskeyCancelled', url: null })
  t.same(posted, [])
  setCredentials(async () => created)
  const refusals = [
    ['emailInvalid', 400, { props: { problem: null, form: { field: { problem: 'emailInvalid' } } } }],
    ['expired', 400, { props: { problem: 'expired', form: { field: { problem: null } } } }],
    ['RateLimited', 429, { error: 'RateLimited', ref: '1' }],
    ['EmailSignin', 200, { url: 'https://app.test/api/auth/signin?error=EmailSignin' }],
    ['Configuration', 500, { url: 'https://app.test/api/auth/error?error=Configuration' }],
    ['PasskeyFailed', 500, {}]
  ] as const
  for (const [error, status, body] of refusals) {
    serve(() => Response.json(body, { status }))
    t.same(await signUpWithPasskey({ email }), { ok: false, error, url: null })
  }
  t.same(page.visited, [])
})

t.test('a request that fails, and a server without sign-up, throw', async (t) => {
  setCredentials(async () => created)
  setFetch(() => Promise.reject(new TypeError('offline')))
  await t.rejects(signUpWithPasskey({ email }), { message: 'offline' })
  serve(
    () => Response.json({}),
    () => Response.json({})
  )
  await t.rejects(signUpWithPasskey({ email }), { message: /signUp/ })
})
