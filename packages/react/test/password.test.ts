import './page.ts'
import t from 'tap'
import {
  changePassword,
  confirmSignUp,
  requestPasswordReset,
  resetPassword,
  signUpWithPassword
} from '../src/password.ts'
import { page, reset, setFetch } from './page.ts'

t.beforeEach(reset)

const base = 'https://app.test/api/auth'
const done = { ok: true, error: null, text: null, problems: [] }

/** A server with one response to every form. @returns What it was posted, by path. */
function serve(status: number, body: object): (readonly [path: string, fields: object])[] {
  const posted: (readonly [path: string, fields: object])[] = []
  setFetch(async (url, { method, body: fields } = {}) => {
    const path = String(url).replace('/api/auth/', '')
    if (path === 'csrf') return Response.json({ csrfToken: 'token' })
    if (method !== 'POST') return Response.json({})
    posted.push([path, JSON.parse(String(fields))])
    return Response.json(body, { status })
  })
  return posted
}

const form = (...fields: readonly (readonly [name: string, problem: string | null])[]) => ({
  text: 'signUpText',
  problem: null,
  form: { fields: fields.map(([name, problem]) => ({ name, problem })) }
})

t.test('forms are posted, and lead to the page that follows', async (t) => {
  const url = `${base}/password/check-mail`
  const posted = serve(200, { url })
  t.same(await signUpWithPassword({ email: 'ada@example.com', password: 'secret' }), { ...done, url })
  t.same(await requestPasswordReset({ email: 'ada@example.com' }), { ...done, url })
  t.same(await resetPassword({ token: 'abc', password: 'secret' }), { ...done, url })
  t.same(await changePassword({ currentPassword: 'old', password: 'new' }), { ...done, url })
  t.same(page.visited, [], 'the browser stays')
  t.same(await confirmSignUp({ code: 'BCDF-GHJK' }, { redirect: false }), { ...done, url })
  t.same(page.visited, [])
  await confirmSignUp({ code: 'BCDF-GHJK' })
  t.same(page.visited, [url])
  t.same(posted.slice(0, 5), [
    ['password/sign-up', { email: 'ada@example.com', password: 'secret' }],
    ['password/forgot', { email: 'ada@example.com' }],
    ['password/reset', { token: 'abc', password: 'secret' }],
    ['password', { currentPassword: 'old', password: 'new' }],
    ['callback/password-sign-up', { code: 'BCDF-GHJK' }]
  ])
})

t.test('refused fields are named, with their texts', async (t) => {
  const props = form(['email', 'emailInvalid'], ['password', 'passwordShort'])
  const texts = { emailInvalid: 'Adresse ungültig', passwordShort: 'Zu kurz', signUpText: 'Konto' }
  serve(400, { screen: 'password/sign-up', props, texts })
  t.same(await signUpWithPassword({ email: 'ada', password: 'x' }), {
    ok: false,
    error: 'emailInvalid',
    text: 'Adresse ungültig',
    problems: [
      { field: 'email', error: 'emailInvalid', text: 'Adresse ungültig' },
      { field: 'password', error: 'passwordShort', text: 'Zu kurz' }
    ],
    url: null
  })
  serve(400, {
    screen: 'password/gone',
    props: { text: 'goneText', problem: null, form: null },
    texts: { goneText: 'Weg' }
  })
  t.match(await resetPassword({ token: 'abc', password: 'secret' }), { ok: false, error: 'gone', text: 'Weg' })
  serve(200, { screen: 'password/used', props: { text: 'usedText', problem: null, form: null }, texts: {} })
  t.match(await resetPassword({ token: 'abc', password: 'secret' }), { ok: false, error: 'used', text: null })
  serve(400, { screen: 'password/change', props: { ...form(['password', null]), problem: 'conflict' }, texts: {} })
  t.match(await changePassword({ password: 'secret' }), { ok: false, error: 'conflict', problems: [] })
})

t.test('a user who has to sign in, or to authenticate again', async (t) => {
  serve(401, { error: 'SessionRequired' })
  t.match(await changePassword({ password: 'secret' }), { ok: false, error: 'SessionRequired', url: null })
  serve(401, { url: `${base}/verify?max_age=600` })
  const callbackUrl = 'https://app.test/settings'
  const result = await changePassword({ password: 'secret' }, { callbackUrl })
  const url = `${base}/verify?${new URLSearchParams({ max_age: '600', callbackUrl })}`
  t.match(result, { ok: false, error: 'SessionRequired', url })
  t.same(page.visited, [url])
  serve(429, { url: `${base}/error?error=RateLimited` })
  t.match(await requestPasswordReset({ email: 'ada@example.com' }), { ok: false, error: 'RateLimited' })
  serve(401, { url: `${base}/verify/factor?error=SecondFactorRequired` })
  t.match(await confirmSignUp({ code: 'a' }), { ok: false, error: 'SecondFactorRequired' })
  setFetch(() => Promise.reject(new TypeError('offline')))
  await t.rejects(requestPasswordReset({ email: 'ada@example.com' }), /offline/)
})
