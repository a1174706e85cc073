import './page.ts'
import t from 'tap'
import { FeatureCallError } from '../src/feature.ts'
import {
  completeEnrollment,
  confirmEnrollment,
  confirmRequiredEnrollment,
  createRecoveryCodes,
  getPendingSignIn,
  getSecondFactor,
  removeSecondFactor,
  sendEnrollmentCode,
  sendMailedCode,
  startEnrollment,
  verifySecondFactor
} from '../src/second-factor.ts'
import { page, reset, setFetch } from './page.ts'
import { createServer, type Request } from './server.ts'

t.beforeEach(reset)

const origin = 'https://app.test'
const key = { text: 'ABCD EFGH', url: 'otpauth://totp/App:ada', qrCode: { size: 2, path: 'M0 0' } }
const codes = ['AAAAA-AAAAA']
const done = { ok: true, error: null, url: null }

type Results = Readonly<Record<string, readonly [status: number, body: object]>>

/** A server that answers each route of the feature, by its method and path. @returns The fields of each POST. */
function serve(results: Results): (readonly [path: string, fields: object])[] {
  const server = createServer()
  const posted: (readonly [path: string, fields: object])[] = []
  const answer = ({ method, url, body }: Request): Response => {
    const path = url.replace('/api/auth/', '')
    if (method === 'POST') posted.push([path, JSON.parse(body)])
    const [status, data] = results[`${method} ${path}`] ?? [404, {}]
    return Response.json(data, { status })
  }
  server.results.set('', () => {
    const request = server.requests.at(-1)
    return request ? answer(request) : Response.error()
  })
  setFetch((url, init) => server.send(String(url), init))
  return posted
}

const again = `${origin}/api/auth/verify?callbackUrl=${encodeURIComponent(`${origin}/api/auth/factors`)}&max_age=600`

t.test('an app is listed, set up and removed, and its recovery codes are created', async (t) => {
  const props = {
    ...{ totp: { createdAt: '2030-01-01', lastUsedAt: null }, recoveryCodes: 3, areFew: true },
    ...{ needsCode: true, verifyUrl: null, problem: null, startAction: '/x' }
  }
  const posted = serve({
    'GET factors': [200, { props }],
    'POST factors/totp/start': [200, { url: `${origin}/api/auth/factors/totp` }],
    'GET factors/totp': [200, { props: { key } }],
    'POST factors/totp': [200, { props: { codes } }],
    'POST factors/recovery-codes': [200, { props: { codes } }],
    'POST factors/totp/remove': [200, { url: `${origin}/api/auth/factors` }]
  })
  const { startAction, ...expected } = props
  t.same(await getSecondFactor(), expected)
  t.same(await startEnrollment(), { ...done, key, mail: 'none' })
  t.same(await confirmEnrollment({ code: '123456' }), { ...done, recoveryCodes: codes })
  t.same(await createRecoveryCodes({ code: '234567' }), { ...done, recoveryCodes: codes })
  t.same(await removeSecondFactor({ code: 'AAAAA-AAAAA' }), done)
  t.same(posted, [
    ['factors/totp/start', {}],
    ['factors/totp', { code: '123456' }],
    ['factors/recovery-codes', { code: '234567' }],
    ['factors/totp/remove', { code: 'AAAAA-AAAAA' }]
  ])
  t.same(page.visited, [])
})

t.test('an enrollment that needs a mailed code has a key once it is sent', async (t) => {
  const enroll = (mail: string, problem: string | null = null) => ({ props: { key, mail, problem } })
  const start: Results = {
    'POST factors/totp/start': [200, { url: `${origin}/api/auth/factors/totp` }],
    'GET factors/totp': [200, enroll('send')]
  }
  const sent = serve({ ...start, 'POST factors/totp': [200, enroll('sent')] })
  t.same(await startEnrollment(), { ...done, key: null, mail: 'send' })
  t.same(await sendEnrollmentCode(), { ...done, key, mail: 'sent' })
  t.same(sent.at(-1), ['factors/totp', { send: 'mail' }])
  serve({ 'POST factors/totp': [200, enroll('send')] })
  const unsent = await confirmEnrollment({ code: '123456' })
  t.same(unsent, { ok: false, error: 'mailWrong', url: null, recoveryCodes: [] })
  serve({ 'POST factors/totp': [400, enroll('sent', 'mailWrong')] })
  t.match(await confirmEnrollment({ code: '123456', mailCode: 'WRONG' }), { ok: false, error: 'mailWrong' })
  const posted = serve({ 'POST factors/totp': [200, { props: { codes } }] })
  t.same(await confirmEnrollment({ code: '123456', mailCode: 'MAIL' }), { ...done, recoveryCodes: codes })
  t.same(posted, [['factors/totp', { code: '123456', mailCode: 'MAIL' }]])
  serve({ 'POST factors/totp': [400, { screen: 'factors/factors', props: { problem: 'expired' } }] })
  t.same(await sendEnrollmentCode(), { ok: false, error: 'expired', url: null, key: null, mail: 'none' })
  serve({ 'POST factors/totp': [429, { url: `${origin}/api/auth/error?error=RateLimited` }] })
  t.match(await sendEnrollmentCode(), { ok: false, error: 'RateLimited', key: null })
  serve({ 'POST factors/totp': [401, { url: again }] })
  t.match(await sendEnrollmentCode({ redirect: false }), { error: 'SessionRequired', url: /\/verify/, key: null })
  t.same(page.visited, [])
})

t.test('nobody has a second factor, and other failures are thrown', async (t) => {
  serve({ 'GET factors': [401, { error: 'SessionRequired' }] })
  t.equal(await getSecondFactor(), null)
  serve({ 'GET factors': [403, { screen: 'factors/unavailable', props: {} }] })
  t.equal(await getSecondFactor(), null)
  serve({})
  await t.rejects(getSecondFactor(), new FeatureCallError(404, {}))
  setFetch(() => Promise.reject(new TypeError('offline')))
  const calls: readonly (() => Promise<unknown>)[] = [
    getSecondFactor,
    startEnrollment,
    createRecoveryCodes,
    getPendingSignIn
  ]
  for (const call of calls) await t.rejects(call(), { message: 'offline' })
})

t.test('a change that is refused says why; a user who must authenticate again goes there and returns', async (t) => {
  const refuse = (status: number, body: object): void =>
    void serve({ 'POST factors/totp/start': [status, body], 'POST factors/totp/remove': [status, body] })
  refuse(401, { url: again })
  const url = again.replace(/callbackUrl=[^&]*/, `callbackUrl=${encodeURIComponent(page.href)}`)
  t.same(await startEnrollment({ redirect: false }), {
    ...{ ok: false, error: 'SessionRequired', url },
    ...{ key: null, mail: 'none' }
  })
  t.same(page.visited, [])
  await removeSecondFactor({ callbackUrl: `${origin}/safety` })
  t.match(page.visited, [/callbackUrl=https%3A%2F%2Fapp.test%2Fsafety&max_age=600$/])
  refuse(401, { error: 'SessionRequired' })
  t.match(await startEnrollment(), { ok: false, error: 'SessionRequired', url: null })
  refuse(400, { screen: 'factors/factors', props: { problem: 'anyWrong' } })
  t.same(await removeSecondFactor({ code: '1' }), { ok: false, error: 'anyWrong', url: null })
  refuse(429, { url: `${origin}/api/auth/error?error=RateLimited` })
  t.same(await removeSecondFactor(), { ok: false, error: 'RateLimited', url: null })
  refuse(500, {})
  t.match(await removeSecondFactor(), { error: 'SecondFactorFailed' })
  serve({
    'POST factors/recovery-codes': [200, { url: `${origin}/api/auth/factors` }],
    'POST factors/totp/start': [200, { url: `${origin}/api/auth/factors/totp` }],
    'GET factors/totp': [200, { url: `${origin}/api/auth/factors` }]
  })
  t.same(await createRecoveryCodes(), { ok: false, error: 'conflict', url: null, recoveryCodes: [] })
  t.match(await startEnrollment(), { error: 'expired', key: null })
  t.equal(page.visited.length, 1)
})

const challenge = {
  screen: 'factors/challenge',
  props: { methods: ['totp', 'passkey'], digits: 8, mail: 'none', trustDays: 30, passkeyOptions: null, problem: null }
}

t.test('a pending sign-in is read, and completed by a code', async (t) => {
  const posted = serve({
    'GET verify/factor': [200, challenge],
    'POST verify/factor': [200, { url: `${origin}/next` }]
  })
  t.same(await getPendingSignIn(), {
    ...{ step: 'factor', methods: ['totp', 'passkey'], digits: 8, mail: 'none', trustDays: 30 },
    ...{ key: null, isConfirmed: false, problem: null }
  })
  const completed = { ok: true, error: null, url: `${origin}/next` }
  t.same(await verifySecondFactor({ code: '123 456', trust: true, redirect: false }), completed)
  t.same(page.visited, [])
  await verifySecondFactor({ recoveryCode: 'AAAAA-AAAAA' })
  t.same(page.visited, [`${origin}/next`])
  t.same(posted, [
    ['verify/factor', { code: '123 456', trust: 'yes' }],
    ['verify/factor', { recoveryCode: 'AAAAA-AAAAA' }]
  ])
})

t.test('a pending sign-in is completed by a passkey', async (t) => {
  const asked: object[] = []
  const respond = async (options: object): Promise<object | null> => {
    asked.push(options)
    return asked.length === 1 ? { id: 'abc', response: { signature: Uint8Array.of(255).buffer } } : null
  }
  Object.defineProperty(navigator, 'credentials', { value: { get: respond }, configurable: true })
  const passkeyOptions = { challenge: '--__', rpId: 'app.test' }
  const posted = serve({
    'GET verify/factor': [200, { ...challenge, props: { ...challenge.props, passkeyOptions } }],
    'POST verify/factor': [200, { url: `${origin}/next` }]
  })
  t.match(await verifySecondFactor({ passkey: true, redirect: false }), { ok: true, url: `${origin}/next` })
  t.match(asked, [{ publicKey: { challenge: Uint8Array.of(251, 239, 255), rpId: 'app.test' } }])
  t.match(posted, [['verify/factor', { credential: /"signature":"_w"/ }]])
  t.match(await verifySecondFactor({ passkey: true }), { ok: false, error: 'PasskeyCancelled' })
  serve({ 'GET verify/factor': [200, challenge] })
  t.match(await verifySecondFactor({ passkey: true }), { ok: false, error: 'passkeyWrong' })
  t.equal(posted.length, 1)
})

t.test('a step that is refused says why', async (t) => {
  const refuse = (status: number, body: object): void => void serve({ 'POST verify/factor': [status, body] })
  const verify = () => verifySecondFactor({ code: '1', redirect: false })
  refuse(400, { ...challenge, props: { ...challenge.props, problem: 'codeWrong' } })
  t.same(await verify(), { ok: false, error: 'codeWrong', url: null })
  refuse(200, { ...challenge, props: { ...challenge.props, mail: 'send' } })
  t.match(await verify(), { ok: false, error: 'mailWrong' })
  refuse(200, { url: '/api/auth/verify/factor?csrf=true' })
  t.match(await verify(), { ok: false, error: 'CsrfTokenInvalid', url: null })
  refuse(200, { url: '/api/auth/verify' })
  t.match(await verify(), { ok: false, error: 'VerificationRequired', url: `${origin}/api/auth/verify` })
  refuse(401, { url: `${origin}/api/auth/verify?error=SecondFactorRequired` })
  t.match(await verify(), { ok: false, error: 'SecondFactorRequired', url: /verify\?error/ })
  refuse(401, { url: `${origin}/api/auth/signin?error=Callback` })
  t.match(await verify(), { ok: false, error: 'Callback' })
  t.same(page.visited, [])
  await verifySecondFactor({ code: '1' })
  t.same(page.visited, [`${origin}/api/auth/signin?error=Callback`])
  serve({ 'GET verify/factor': [401, { url: `${origin}/api/auth/signin?error=Callback` }] })
  t.equal(await getPendingSignIn(), null)
  serve({ 'POST verify/factor': [401, { url: `${origin}/api/auth/signin?error=Callback` }] })
  t.match(await sendMailedCode(), { ok: false, error: 'Callback' })
})

t.test('a required enrollment: the mailed code, the key, the recovery codes', async (t) => {
  const enroll = (mail: string, problem: string | null = null) => ({ props: { key, mail, problem } })
  const routes: Results = {
    'GET verify/factor': [200, { url: '/api/auth/verify' }],
    'GET verify': [200, { interruptions: ['enroll'], url: '/api/auth/verify/enroll' }]
  }
  serve({ ...routes, 'GET verify/enroll': [200, enroll('send')], 'POST verify/enroll': [200, enroll('sent')] })
  t.match(await getPendingSignIn(), { step: 'enroll', mail: 'send', key: null })
  t.same(await sendMailedCode('enroll'), done)
  t.match(await confirmRequiredEnrollment({ code: '1' }), { ok: false, error: 'mailWrong', recoveryCodes: [] })
  const posted = serve({
    ...routes,
    'GET verify/enroll': [200, enroll('sent')],
    'POST verify/enroll': [200, { props: { codes } }]
  })
  t.match(await getPendingSignIn(), { step: 'enroll', mail: 'sent', key })
  const recoveryCodes = codes
  t.same(await confirmRequiredEnrollment({ code: '123456', mailCode: 'MAIL' }), { ...done, recoveryCodes })
  t.same(posted, [['verify/enroll', { code: '123456', mailCode: 'MAIL' }]])
  serve({
    ...routes,
    'GET verify/enroll': [200, { screen: 'factors/recovery-codes', props: { codes: [] } }],
    'POST verify/enroll': [200, { url: `${origin}/next` }]
  })
  t.match(await getPendingSignIn(), { step: 'enroll', isConfirmed: true, key: null })
  t.same(await completeEnrollment(), { ok: true, error: null, url: `${origin}/next` })
  t.same(page.visited, [`${origin}/next`])
  serve({ 'POST verify/enroll': [400, enroll('none', 'expired')] })
  t.match(await completeEnrollment(), { ok: false, error: 'expired' })
  serve({ 'POST verify/enroll': [200, enroll('none')] })
  t.match(await completeEnrollment(), { ok: false, error: 'expired' })
  serve({ ...routes, 'GET verify': [200, { interruptions: ['link', 'enroll'] }] })
  t.match(await getPendingSignIn(), { step: 'link', key: null })
})
