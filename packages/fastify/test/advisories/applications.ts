import { fromAfar, origin } from '../start.ts'
import { browserWith, sessionCookies, signInAt, startTwo } from '../two-applications.ts'
import { someStrategies } from './linking-setup.ts'
import type { Replay } from './replay.ts'

const ada = 'ada@example.com'
const directions = [
  ['shop', 'admin'],
  ['admin', 'shop']
] as const

export const applications: readonly Replay[] = [
  [
    'P3a',
    'a session of one registration opens the routes of another that shares the secret and the store',
    async (t) => {
      for (const strategy of someStrategies()) {
        const two = await startTwo(t, { strategy })
        for (const [from, to] of directions) {
          const value = await signInAt(from, two)
          const label = `${strategy}, ${from} → ${to}`
          t.equal((await browserWith(from, value, two).open(`/${from}/me`)).status, 200, `${label}: at home`)
          const browser = browserWith(to, value, two)
          const guarded = await browser.open(`/${to}/me`)
          t.equal(guarded.status, 302, `${label}: the guard refuses`)
          t.same(await browser.json(`/${to}/api/auth/session`), {}, `${label}: no session`)
          t.equal(browser.cookies.get(sessionCookies[to]), value, `${label}: reading clears nothing`)
          await browser.submit(`/${to}/api/auth/signout`, {})
          t.equal(browser.cookies.get(sessionCookies[to]), value, `${label}: signing out clears nothing`)
          t.equal((await browserWith(from, value, two).open(`/${from}/me`)).status, 200, `${label}: and ends nothing`)
        }
      }
    }
  ],
  [
    'P3b',
    'an authorization that was started at one registration is finished at another',
    async (t) => {
      for (const [from, to] of directions) {
        const two = await startTwo(t, { strategy: 'database' })
        const browser = two.newBrowser(from)
        const response = await browser.submit(`/${from}/api/auth/signin/demo`, {})
        const callback = await two.issuer.authorize(response.location ?? '')
        const requests = two.issuer.requests.length
        const otherUrl = callback.replace(`/${from}/`, `/${to}/`)
        const reply = await browser.open(otherUrl, { headers: fromAfar })
        t.equal(reply.status, 400, `${from} → ${to}: the user must start again`)
        t.equal(two.issuer.requests.length, requests, 'no code was sent to the provider')
        t.equal(browser.cookies.get(sessionCookies[to]), null)
        await browser.submit(`/${to}/api/auth/signin/demo`, {})
        const home = await browser.open(callback, { headers: fromAfar })
        t.equal(home.location, origin, 'and the authorization is still there for its own application')
        t.ok(browser.cookies.get(sessionCookies[from]))
      }
    }
  ],
  [
    'P3c',
    'the code of a mail that was requested at one registration is used at another',
    async (t) => {
      for (const [from, to] of directions) {
        const two = await startTwo(t, { strategy: 'database' })
        const browser = two.newBrowser(from)
        await browser.submit(`/${from}/api/auth/signin/email`, { email: ada })
        const { code, url } = two.mailbox.last()
        const cookie = browser.cookies.get('__Secure-postern.email') ?? ''
        const other = two.newBrowser(to)
        other.cookies.set('__Secure-postern.email', cookie, { secure: true, path: `/${to}/api/auth` })
        await other.submit(`/${to}/api/auth/callback/email`, { code })
        t.equal(other.cookies.get(sessionCookies[to]), null, `${from} → ${to}: the code opens nothing`)
        const opened = await other.open(url.replace(`/${from}/`, `/${to}/`), { headers: fromAfar })
        t.match(opened.location, 'error=Verification', 'a link of one is none of the other')
        t.equal(other.cookies.get(sessionCookies[to]), null)
        await browser.submit(`/${from}/api/auth/callback/email`, { code })
        t.ok(browser.cookies.get(sessionCookies[from]), 'no try was taken, and the code still works at home')
      }
    }
  ],
  [
    'P3d',
    'the state of a sign-out at one registration is redeemed at another',
    async (t) => {
      const two = await startTwo(t, { strategy: 'database' })
      const value = await signInAt('admin', two)
      const browser = browserWith('admin', value, two)
      const left = await browser.submit('/admin/api/auth/signout', {
        provider: 'true',
        callbackUrl: `${origin}/admin/bye`
      })
      const state = new URL(left.location ?? '').searchParams.get('state')
      t.ok(state)
      const query = new URLSearchParams({ state: state ?? '' })
      t.equal((await two.newBrowser('shop').open(`/shop/api/auth/signout?${query}`)).location, origin)
      t.equal((await two.newBrowser('admin').open(`/admin/api/auth/signout?${query}`)).location, `${origin}/admin/bye`)
    }
  ],
  [
    'P3e',
    'a token of another registration costs a query',
    async (t) => {
      const two = await startTwo(t, { strategy: 'database' })
      for (const [from, to] of directions) {
        const browser = browserWith(to, await signInAt(from, two), two)
        two.store.forget()
        await browser.open(`/${to}/me`)
        await browser.json(`/${to}/api/auth/session`)
        await browser.submit(`/${to}/api/auth/signout`, {})
        t.equal(two.store.count(), 0, `${from} → ${to}: none`)
      }
    }
  ]
]
