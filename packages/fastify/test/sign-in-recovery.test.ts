import type { BrowserResponse } from '@postern/testkit'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { requireSession } from '../src/index.ts'
import { origin, signInByForm, start } from './start.ts'

const flash = '__Secure-postern.flash'
const emailPath = '/api/auth/signin/email'
const formPath = '/api/auth/callback/credentials'

const input = ({ body }: BrowserResponse, name: string): string =>
  new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(body)?.[0] ?? ''

/** The form that posts to an action, as HTML. */
const formTo = ({ body }: BrowserResponse, action: string): string =>
  new RegExp(`<form action="${action}".*?</form>`, 's').exec(body)?.[0] ?? ''

t.test(
  'after a wrong password the username stays, the password does not, and the message is in the form',
  async (t) => {
    const { browser, log } = await start(t)
    const response = await browser.submit(formPath, { username: 'Grace "H" <b>', password: 'a wrong password' })
    t.match(response, { status: 302, location: `${origin}/api/auth/signin?error=CredentialsSignin&ref=` })
    const kept = response.setCookies.find(({ name }) => name === flash)
    t.match(kept, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/api/auth' })
    t.notMatch(kept?.value, /grace|wrong/i, 'it is encrypted')
    const page = await browser.follow(response)
    t.match(input(page, 'username'), 'value="Grace &quot;H&quot; &lt;b&gt;"')
    t.notMatch(input(page, 'password'), /value=/)
    t.notMatch(page.body, 'a wrong password')
    const form = formTo(page, formPath)
    t.match(form, /id="notice"/)
    t.match(input(page, 'username'), 'aria-describedby="notice"')
    t.notOk(browser.cookies.get(flash), 'the page clears the cookie')
    const again = await browser.open(response.location ?? '')
    t.notMatch(input(again, 'username'), /value=/, 'it is shown once')
    t.notMatch(log.join(''), 'Grace')
  }
)

t.test('an invalid address stays, is called invalid in the form, and is a warning', async (t) => {
  const { browser, log, mailbox } = await start(t)
  const response = await browser.submit(emailPath, { email: 'ada@example' })
  t.match(response.location, `${origin}/api/auth/signin?error=EmailSignin&reason=invalid&ref=`)
  const page = await browser.follow(response)
  const form = formTo(page, emailPath)
  t.match(form, 'Enter a valid email address.')
  t.notMatch(page.body, 'could not be sent')
  t.match(input(page, 'email'), /value="ada@example"/)
  t.match(input(page, 'email'), /aria-describedby="notice" aria-invalid="true"/)
  const [line] = log.filter((text) => text.includes('SIGNIN_EMAIL_ERROR'))
  t.equal(JSON.parse(line ?? '{}').level, 40)
  t.equal(mailbox.mails.length, 0)
})

t.test('letters outside ASCII before the @ are the reason; in the domain, they are converted', async (t) => {
  const { browser, log, mailbox } = await start(t)
  const response = await browser.submit(emailPath, { email: 'adä@example.com' })
  t.match(response.location, `${origin}/api/auth/signin?error=EmailSignin&reason=non-ascii&ref=`)
  const form = formTo(await browser.follow(response), emailPath)
  t.match(form, 'letters such as ä or é before the @ are not supported')
  t.match(log.join(''), 'email: expected only ASCII before the @ of an email address')
  await browser.submit(emailPath, { email: 'ada@bücher.example' })
  t.same(
    mailbox.mails.map(({ to }) => to),
    ['ada@xn--bcher-kva.example']
  )
})

t.test('an address that the application refuses is invalid; one that cannot be sent to is not', async (t) => {
  const refuse = (): string => {
    throw new Error('only addresses of example.com')
  }
  const fail = (text: string): string => JSON.parse(text)
  const cause = new Error('connect ECONNREFUSED')
  const failWithCause = (): string => {
    throw new Error('no domains', { cause })
  }
  // next-auth v4, "Email provider": `normalizeIdentifier` throws an Error to refuse an address. A crash refuses none.
  for (const [normalizeIdentifier, reason, level] of [
    [refuse, 'invalid', 40],
    [fail, null, 50],
    [failWithCause, null, 50]
  ] as const) {
    const own = await start(t, { mail: { normalizeIdentifier } })
    const { location } = await own.browser.submit(emailPath, { email: 'ada@example.org' })
    const { searchParams } = new URL(location ?? '')
    t.same([searchParams.get('error'), searchParams.get('reason')], ['EmailSignin', reason])
    const lines = own.log.filter((line) => line.includes('SIGNIN_EMAIL_ERROR'))
    t.match(
      lines.map((line) => JSON.parse(line)),
      [{ level }]
    )
  }
  const sendMail = (): Promise<void> => Promise.reject(new Error('550 no such mailbox'))
  const { browser } = await start(t, { runtime: { sendMail } })
  const page = await browser.follow(await browser.submit(emailPath, { email: 'ada@example.com' }))
  t.match(formTo(page, emailPath), 'The email could not be sent.')
  t.match(input(page, 'email'), /value="ada@example.com"/)
})

t.test('clients that ask for JSON get the responses of next-auth, without the cookie', async (t) => {
  const { browser } = await start(t)
  for (const [path, fields, status] of [
    [emailPath, { email: 'ada@example' }, 200],
    [formPath, { username: 'grace', password: 'wrong' }, 401]
  ] as const) {
    const response = await browser.submit(path, { ...fields, json: 'true' })
    t.equal(response.status, status)
    const { searchParams } = new URL(response.json<{ url: string }>().url)
    t.same([...searchParams.keys()], ['error', 'ref'])
    t.notOk(response.setCookies.some(({ name }) => name === flash))
  }
})

t.test(
  'what was typed is shown on the page of its failure only, for a minute, and is not kept if it is long',
  async (t) => {
    const { browser, clock } = await start(t)
    const fail = (username: string) => browser.submit(formPath, { username, password: 'wrong' })
    const first = await fail('ada')
    await fail('grace')
    t.notMatch(input(await browser.follow(first), 'username'), /value=/, 'the page of another failure')
    const late = await fail('ada')
    clock.advance(61)
    t.notMatch(input(await browser.follow(late), 'username'), /value=/)
    const long = await fail('a'.repeat(321))
    t.notMatch(input(await browser.follow(long), 'username'), /value=/)
    browser.cookies.set(flash, 'forged', { secure: true, path: '/api/auth' })
    t.equal((await browser.open('/api/auth/signin?error=CredentialsSignin&ref=req-1')).status, 200)
  }
)

t.test('nothing is kept for a sign-in page of the application', async (t) => {
  const { browser } = await start(t, { pages: { signIn: '/login' } })
  const response = await browser.submit(emailPath, { email: 'ada@example' })
  t.notOk(browser.cookies.get(flash))
  t.match((await browser.follow(response)).location, /\/login\?.*error=EmailSignin&reason=invalid/)
})

const address = 'ada@example.com'
const checkMail = '/api/auth/verify-request?provider=email&type=email'

for (const code of [true, false]) {
  t.test(`a new email goes to the same address with one button, ${code ? 'with' : 'without'} a code`, async (t) => {
    const { browser, mailbox } = await start(t, { mail: { code } })
    await browser.submit(emailPath, { email: address, callbackUrl: '/inside' })
    const page = await browser.open(checkMail)
    t.match(page.body, /<button[^>]*>Ask for a new email</)
    t.match(page.body, /<a [^>]*href="\/api\/auth\/signin"[^>]*>Use a different address</)
    const first = mailbox.last().url
    const sent = await browser.fill(page, emailPath)
    t.equal(sent.location, `${origin}${checkMail}`)
    t.equal(mailbox.mails.length, 2)
    t.not(mailbox.last().url, first)
    t.equal((await browser.open(mailbox.last().url)).location, `${origin}/inside`, 'it returns to the same page')
  })
}

t.test('a browser that requested no email can only start again', async (t) => {
  const { newBrowser, browser } = await start(t)
  await browser.submit(emailPath, { email: address })
  const page = await newBrowser().open(checkMail)
  t.notMatch(page.body, /<form|different address/)
  t.match(page.body, /<a [^>]*href="\/api\/auth\/signin"[^>]*>Ask for a new email</)
})

t.test('a used link that a signed-in user opens names the user, and continues', async (t) => {
  const { browser, mailbox, newBrowser, log } = await start(t)
  await browser.submit(emailPath, { email: address, callbackUrl: '/inside' })
  const { url } = mailbox.last()
  await browser.open(url)
  const again = await browser.open(url)
  t.match(again.location, `${origin}/api/auth/error?error=Verification&ref=`)
  const page = await browser.follow(again)
  t.equal(page.status, 200)
  t.match(page.body, 'You are already signed in')
  t.match(page.body, address)
  t.match(page.body, `href="${origin}/inside"`)
  t.match(log.filter((line) => line.includes('CALLBACK_EMAIL_ERROR')).length, 1, 'it is logged')
  const stranger = newBrowser()
  const refused = await stranger.follow(await stranger.open(url))
  t.equal(refused.status, 403)
  t.match(refused.body, 'The sign-in link is no longer valid.')
})

t.test('an error page of the application replaces the screen for a used link', async (t) => {
  const { browser, mailbox } = await start(t, { pages: { error: '/oops' } })
  await browser.submit(emailPath, { email: address })
  const { url } = mailbox.last()
  await browser.open(url)
  t.match((await browser.open(url)).location, '/oops?error=Verification')
})

const inside = (app: FastifyInstance): void =>
  void app.get('/inside', { onRequest: requireSession }, async () => 'inside')

for (const json of [false, true]) {
  t.test(`sign-out on a guarded page ends on "signed out", by ${json ? 'a script' : 'the form'}`, async (t) => {
    const { browser } = await start(t, { before: inside })
    await signInByForm(browser)
    const page = await browser.open('/api/auth/signout?callbackUrl=/inside')
    if (json) {
      const out = await browser.submit('/api/auth/signout', { callbackUrl: '/inside', json: 'true' })
      t.same([out.status, out.json()], [200, { url: `${origin}/inside` }])
    } else t.equal((await browser.fill(page, '/api/auth/signout')).location, `${origin}/inside`)
    const guarded = await browser.followAll(await browser.open('/inside'))
    t.match(guarded.body, 'You are signed out.')
    t.notMatch(guarded.body, 'Please sign in to access this page')
    const next = await browser.followAll(await browser.open('/inside'))
    t.match(next.body, 'Please sign in to access this page', 'it is said once')
  })
}

t.test('a sign-in page of the application gets no SessionRequired after a sign-out', async (t) => {
  const { browser } = await start(t, { before: inside, pages: { signIn: '/login' } })
  await signInByForm(browser)
  await browser.submit('/api/auth/signout', { callbackUrl: '/inside' })
  const location = async (): Promise<string | null> => (await browser.follow(await browser.open('/inside'))).location
  t.equal(await location(), `${origin}/login?callbackUrl=${encodeURIComponent(`${origin}/inside`)}`)
  t.match(await location(), 'error=SessionRequired', 'the next time it is')
})
