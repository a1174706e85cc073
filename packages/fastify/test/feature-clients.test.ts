// The table "Clients that get JSON" of the guide "Write a feature".
import { type ActionResult, type Feature, type FeatureRequest, redirect, SignInError } from '@postern/core/feature'
import t from 'tap'
import { createTestGate } from './interruption-feature.ts'
import { origin, people, start } from './start.ts'

const base = `${origin}/api/auth`
const open = { method: 'POST', access: 'anyone', csrf: 'none' } as const
const next = (): ActionResult => redirect(`${origin}/next`)
const refuse = (): never => {
  throw new SignInError('AccessDenied')
}
const probe: Feature = {
  id: 'probe',
  setup: () => ({
    routes: [
      { ...open, path: '/probe/screen', run: (request: FeatureRequest) => request.screen('page', { id: 1 }) },
      { ...open, path: '/probe/redirect', run: next },
      { ...open, path: '/probe/user', access: 'user', run: next },
      {
        ...open,
        path: '/probe/ended',
        run: async ({ requireUser }: FeatureRequest) => (await requireUser()) && next()
      },
      { ...open, path: '/probe/form', csrf: 'required', run: next },
      { ...open, path: '/probe/refused', run: refuse },
      { ...open, path: '/probe/limited', limit: { points: 0, seconds: 60 }, run: next },
      { ...open, path: '/probe/json', answers: 'json', run: refuse }
    ],
    texts: { en: { title: 'Probe' } },
    screens: [{ name: 'page', title: 'title', component: async () => null, plain: () => ({ text: 'plain' }) }]
  })
}

type Response = readonly [status: number, content: string | RegExp | Readonly<Record<string, unknown>>]

/** The responses by client: a redirect is its location, a page is `HTML`, JSON is its body. */
const expected: Readonly<Record<string, Readonly<Record<'browser' | 'accept' | 'asks', Response>>>> = {
  '/probe/screen': {
    browser: [200, 'HTML'],
    accept: [200, { screen: 'probe/page', props: { id: 1 }, csrfToken: String }],
    asks: [200, { screen: 'probe/page', props: { id: 1 }, csrfToken: String }]
  },
  '/probe/redirect': {
    browser: [302, `${origin}/next`],
    accept: [302, `${origin}/next`],
    asks: [200, { url: `${origin}/next` }]
  },
  '/probe/user': {
    browser: [302, `${base}/signin?error=SessionRequired`],
    accept: [401, { error: 'SessionRequired' }],
    asks: [401, { error: 'SessionRequired' }]
  },
  '/probe/ended': {
    browser: [302, /signin\?error=SessionRequired&ref=/],
    accept: [401, { error: 'SessionRequired', ref: String }],
    asks: [401, { error: 'SessionRequired', ref: String }]
  },
  '/probe/form': {
    browser: [302, `${base}/signin?csrf=true`],
    accept: [400, { error: 'CsrfTokenInvalid' }],
    asks: [400, { error: 'CsrfTokenInvalid' }]
  },
  '/callback/pass': {
    browser: [302, `${base}/signin?csrf=true`],
    accept: [302, `${base}/signin?csrf=true`],
    asks: [200, { url: `${base}/signin?csrf=true` }]
  },
  '/verify/ask': {
    browser: [302, `${base}/verify/ask?csrf=true`],
    accept: [302, `${base}/verify/ask?csrf=true`],
    asks: [200, { url: `${base}/verify/ask?csrf=true` }]
  },
  '/probe/refused': {
    browser: [302, /error\?error=AccessDenied&ref=/],
    accept: [302, /error\?error=AccessDenied&ref=/],
    asks: [403, { url: /error\?error=AccessDenied&ref=/ }]
  },
  '/probe/limited': {
    browser: [429, 'HTML'],
    accept: [429, 'HTML'],
    asks: [429, { url: /error\?error=RateLimited&ref=/ }]
  },
  '/probe/json': {
    browser: [403, { error: 'AccessDenied', ref: String }],
    accept: [403, { error: 'AccessDenied', ref: String }],
    asks: [403, { error: 'AccessDenied', ref: String }]
  }
}

const clients = [
  { name: 'a browser', row: 'browser', headers: { accept: 'text/html,*/*' }, fields: {} },
  { name: 'Accept: application/json', row: 'accept', headers: { accept: 'application/json' }, fields: {} },
  { name: 'the field json', row: 'asks', headers: { accept: 'text/html' }, fields: { json: 'true' } },
  {
    name: 'the header x-auth-return-redirect',
    row: 'asks',
    headers: { accept: 'text/html', 'x-auth-return-redirect': '1' },
    fields: {}
  }
] as const

for (const { name, row, headers, fields } of clients) {
  t.test(`the responses of a feature to ${name}`, async (t) => {
    const { app } = await start(t, { features: [probe, createTestGate().feature], providers: [people], instances: 1 })
    for (const [path, responses] of Object.entries(expected)) {
      const {
        statusCode,
        headers: sent,
        body
      } = await app.inject({
        method: 'POST',
        url: `/api/auth${path}`,
        headers,
        payload: fields
      })
      const isJson = String(sent['content-type']).startsWith('application/json')
      const content = sent.location ?? (isJson ? JSON.parse(body) : body.startsWith('<!doctype html>') && 'HTML')
      t.match([statusCode, content], responses[row], path)
    }
  })
}

t.test('a sign-in that is interrupted', async (t) => {
  const url = `${base}/verify?error=VerificationRequired`
  const { browser } = await start(t, { features: [createTestGate().feature], providers: [people], instances: 1 })
  const fields = { username: 'grace', password: 'lovelace' }
  t.equal((await browser.submit('/api/auth/callback/credentials', fields)).location, url)
  const asked = await browser.submit('/api/auth/callback/credentials', { ...fields, json: 'true' })
  t.match([asked.status, JSON.parse(asked.body)], [401, { url }])
})
