import './page.ts'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import t from 'tap'
import {
  approveDeletion,
  approveEmailChange,
  cancelEmailChange,
  changeEmail,
  confirmEmail,
  connectAccount,
  deleteAccount,
  disconnectAccount,
  endDevice,
  endOtherDevices,
  getAccount,
  getActivity,
  getConnections,
  getDevices,
  getEmail,
  keepAccount,
  updateProfile,
  useAccount
} from '../src/account.ts'
import type { AccountValue } from '../src/account-types.ts'
import { page, reset, setFetch } from './page.ts'
import { createServer, type Request } from './server.ts'

t.beforeEach(reset)

const origin = 'https://app.test'
const done = { ok: true, error: null, url: null }

type Results = Readonly<Record<string, readonly [status: number, body: object]>>

/** A server that has a response for each route, by its method and path. @returns The fields of each POST. */
function serve(results: Results): (readonly [path: string, fields: object])[] {
  const server = createServer()
  const posted: (readonly [path: string, fields: object])[] = []
  const respond = ({ method, url, body }: Request): Response => {
    const path = url.replace('/api/auth/', '')
    if (method === 'POST') posted.push([path, JSON.parse(body)])
    const [status, data] = results[`${method} ${path}`] ?? [404, {}]
    return Response.json(data, { status })
  }
  for (const route of ['', 'signin', 'signin/acme%20inc'])
    server.results.set(route, () => {
      const request = server.requests.at(-1)
      return request ? respond(request) : Response.error()
    })
  setFetch((url, init) => server.send(String(url), init))
  return posted
}

const listed = {
  ...{ id: 'account/profile', href: '/api/auth/account/profile', isWarning: false, isDestructive: false },
  summary: { text: 'account/profile/summary', values: { name: 'Ada' } }
}
const texts = { 'account/profile': 'Profil', 'account/profile/summary': 'Name: {name}' }
const { summary: _, ...plainSection } = listed
const sections = [{ ...plainSection, title: 'Profil', text: 'Name: Ada' }]
const signOutUrl = '/api/auth/signout'
const account = {
  name: 'Ada',
  email: 'ada@example.com',
  sections,
  deletion: null,
  emailChange: null,
  siteName: 'App',
  siteUrl: '/',
  signOutUrl
}

t.test('every page is read, and null without a session', async (t) => {
  const device = { id: '1', name: 'Firefox (Linux)', isCurrent: true }
  const connections = { accounts: [], available: [{ id: 'acme', name: 'Acme' }], verifyUrl: null }
  const waiting = { email: 'grace@example.com', at: '2030-01-08T00:00:00.000Z', factorUrl: null, approveAction: null }
  const email = { email: 'ada@example.com', isVerified: true, pending: null, canChange: true, waiting }
  const older = '/api/auth/account/activity?before=17.a%26b'
  serve({
    'GET account': [200, { props: { ...account, sections: [listed] }, texts }],
    'GET account/connections': [200, { props: connections }],
    'GET account/email': [200, { props: email }],
    'GET account/devices': [200, { props: { devices: [device] } }],
    'GET account/activity': [200, { props: { events: [{ id: 'e' }], olderUrl: older } }],
    'GET account/activity?before=17.a%26b': [200, { props: { events: [], olderUrl: null } }]
  })
  t.same(await getAccount(), account)
  t.same(await getConnections(), connections)
  t.same(await getEmail(), email)
  t.same(await getDevices(), [device])
  t.same(await getActivity(), { events: [{ id: 'e' }], before: '17.a&b' })
  t.same(await getActivity('17.a&b'), { events: [], before: null })
  serve({ 'GET account': [401, { error: 'SessionRequired' }], 'GET account/devices': [403, {}] })
  t.equal(await getAccount(), null)
  t.equal(await getDevices(), null)
  await t.rejects(getConnections(), { name: 'FeatureCallError' })
})

t.test('every change is posted', async (t) => {
  const url = `${origin}/api/auth/account`
  const posted = serve({
    'POST account/profile': [200, { url }],
    'POST account/email': [200, { url: `${url}/email/confirm` }],
    'POST account/email/confirm': [200, { url }],
    'POST account/email/approve': [200, { url }],
    'POST account/email/cancel': [200, { url }],
    'POST account/connections/remove': [200, { url }],
    'POST account/devices/end': [200, { url }],
    'POST account/devices/end-others': [200, { url }],
    'POST account/delete': [200, { screen: 'account/deleted' }],
    'POST account/delete/approve': [200, { screen: 'account/deleted' }],
    'POST account/delete/cancel': [200, { url }]
  })
  t.same(await updateProfile({ name: 'Grace' }), done)
  t.same(await changeEmail({ email: 'grace@example.com' }), done)
  t.same(await confirmEmail({ code: 'BCDFGHJK' }), done)
  t.same(await approveEmailChange(), done)
  t.same(await cancelEmailChange(), done)
  t.same(await disconnectAccount({ provider: 'acme', providerAccountId: '7' }), done)
  t.same(await endDevice('1'), done)
  t.same(await endOtherDevices(), done)
  t.same(await deleteAccount(), done)
  t.same(await approveDeletion(), done)
  t.same(await keepAccount(), done)
  t.same(posted, [
    ['account/profile', { name: 'Grace' }],
    ['account/email', { email: 'grace@example.com' }],
    ['account/email/confirm', { code: 'BCDFGHJK' }],
    ['account/email/approve', {}],
    ['account/email/cancel', {}],
    ['account/connections/remove', { provider: 'acme', providerAccountId: '7' }],
    ['account/devices/end', { id: '1' }],
    ['account/devices/end-others', {}],
    ['account/delete', { confirmation: 'DELETE' }],
    ['account/delete/approve', {}],
    ['account/delete/cancel', {}]
  ])
  t.same(page.visited, [])
})

t.test('an account is connected at the provider', async (t) => {
  const posted = serve({ 'POST signin/acme%20inc': [200, { url: 'https://acme.test/authorize' }] })
  t.same(await connectAccount('acme inc'), { ...done, url: 'https://acme.test/authorize' })
  t.same(posted, [['signin/acme%20inc', { callbackUrl: 'https://app.test/here?tab=1', link: 'true' }]])
  t.same(page.visited, ['https://acme.test/authorize'])
})

t.test('a refusal has its reason, and a user whose sign-in is not recent authenticates again', async (t) => {
  const verify = `${origin}/api/auth/verify?callbackUrl=${encodeURIComponent(`${origin}/x`)}&max_age=600`
  serve({
    'POST account/connections/remove': [400, { props: { problem: 'lastWayIn' } }],
    'POST account/devices/end': [429, { error: 'RateLimited', ref: 'r' }],
    'POST account/profile': [401, { url: verify }],
    'POST account/delete': [401, { url: verify }]
  })
  const removed = await disconnectAccount({ provider: 'acme', providerAccountId: '7' })
  t.same(removed, { ok: false, error: 'lastWayIn', url: null })
  t.same(await endDevice('1'), { ok: false, error: 'RateLimited', url: null })
  const again = await updateProfile({ name: 'Grace' }, { redirect: false, callbackUrl: `${origin}/settings` })
  t.match(again, { ok: false, error: 'SessionRequired' })
  t.equal(new URL(again.url ?? '').searchParams.get('callbackUrl'), `${origin}/settings`)
  t.same(page.visited, [])
  const { href } = page
  await deleteAccount()
  t.equal(new URL(page.visited[0] ?? '').searchParams.get('callbackUrl'), href)
  setFetch(() => Promise.reject(new Error('offline')))
  await t.rejects(endOtherDevices(), { message: 'offline' })
})

t.test('a refused change of the email address has its reason', async (t) => {
  const refuse = async (status: number, props: object): Promise<string | null> => {
    serve({ 'POST account/email': [status, { props }], 'POST account/email/confirm': [status, { props }] })
    const { error } = await changeEmail({ email: 'grace@example.com' })
    t.equal((await confirmEmail({ code: 'BCDFGHJK' })).error, error)
    return error
  }
  t.equal(await refuse(400, { problem: 'emailSame' }), 'emailSame')
  t.equal(await refuse(400, { problem: null, reason: 'gone' }), 'gone')
  t.equal(await refuse(403, { problem: null }), 'Default')
})

const seen: AccountValue[] = []

function Show() {
  seen.push(useAccount())
  return null
}

t.test('useAccount loads once, and again when it is asked to', async (t) => {
  serve({ 'GET account': [200, { props: { ...account, sections: [listed] }, texts }] })
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Show />))
  t.same(
    seen.map(({ status, account }) => [status, account?.name ?? null]),
    [
      ['loading', null],
      ['authenticated', 'Ada']
    ]
  )
  serve({ 'GET account': [401, {}] })
  await act(async () => seen.at(-1)?.refresh())
  t.match(seen.at(-1), { status: 'unauthenticated', account: null })
  serve({})
  await act(async () => seen.at(-1)?.refresh())
  t.match(seen.at(-1), { status: 'failed', account: null })
  await act(async () => root.unmount())
})
