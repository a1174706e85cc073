import t from 'tap'
import { origin, signInAtIssuer, start } from './start.ts'

for (const store of ['none', 'memory', 'sqlite'] as const) {
  for (const strategy of store === 'none' ? (['jwt'] as const) : (['jwt', 'database'] as const)) {
    const options = { store, session: { strategy } }

    t.test(
      `${store}, ${strategy}: a visitor signs in at the provider, is known, is the same user next time, signs out`,
      async (t) => {
        const started = await start(t, options)
        const { browser, adapter } = started
        const back = await signInAtIssuer(started, browser, undefined, { callbackUrl: '/me' })
        t.match({ status: back.status, location: back.location }, { status: 302, location: `${origin}/me` })
        const session = await browser.json<{ user: { name: string; email: string }; expires: string }>(
          '/api/auth/session'
        )
        t.match(session.user, { name: 'Ada Lovelace', email: 'ada@example.com' })
        t.equal((await browser.open('/me')).status, 200)
        const first = await adapter?.getUserByEmail?.('ada@example.com')
        const out = await browser.submit('/api/auth/signout', {})
        t.match({ status: out.status, location: out.location }, { status: 302, location: origin })
        t.same(await browser.json('/api/auth/session'), {})
        await signInAtIssuer(started, browser)
        t.same(await adapter?.getUserByEmail?.('ada@example.com'), first, 'the same user')
        t.match(await browser.json('/api/auth/session'), { user: { name: 'Ada Lovelace' } })
      }
    )

    t.test(`${store}, ${strategy}: a visitor signs in through the credentials form`, async (t) => {
      const { browser } = await start(t, options)
      const wrong = await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'wrong' })
      t.equal(wrong.status, 302)
      t.match(wrong.location, /\/api\/auth\/signin\?error=CredentialsSignin/)
      const right = await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
      t.equal(right.location, origin)
      t.match(await browser.json('/api/auth/session'), { user: { name: 'grace', email: 'grace@example.com' } })
      await browser.submit('/api/auth/callback/credentials', { username: 'grace', password: 'lovelace' })
      t.match(await browser.json('/api/auth/session'), { user: { name: 'grace' } }, 'and again')
    })

    if (store === 'none') continue
    t.test(`${store}, ${strategy}: a visitor signs in through a mailed link, once`, async (t) => {
      const { browser, mailbox, adapter } = await start(t, options)
      const response = await browser.submit('/api/auth/signin/email', { email: ' Ada@Example.com ' })
      t.match(response.location, /\/api\/auth\/verify-request\?provider=email&type=email$/)
      t.equal(mailbox.last().to, 'ada@example.com')
      const { url } = mailbox.last()
      const opened = await browser.open(url)
      t.match({ status: opened.status, location: opened.location }, { status: 302, location: origin })
      t.match(await browser.json('/api/auth/session'), { user: { email: 'ada@example.com' } })
      const again = await browser.open(url)
      t.match(again.location, /\/api\/auth\/error\?error=Verification/)
      const user = await adapter?.getUserByEmail?.('ada@example.com')
      t.ok(user?.emailVerified, 'the address counts as proven')
    })
  }
}
