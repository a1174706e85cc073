/// <reference lib="dom" />
import { memoryAdapter } from '@postern/adapters/memory'
import email from '@postern/core/providers/email'
import { createMailbox, type Mailbox } from '@postern/testkit'
import { follow, openChromium, readText, withoutChromium } from '@postern/testkit/chromium'
import { isLong, times } from '@postern/testkit/long'
import Fastify from 'fastify'
import type { BrowserContextOptions, Browser as Chromium, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import postern from '../src/index.ts'
import { fromAfar, getSession, origin, secret, start } from './start.ts'

const address = 'ada@example.com'

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Safari/537.36 SafeLinks',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'BarracudaCentral/1.0',
  'Mimecast-URL-Protection'
]

/** What mail scanners do with a link before it is read. */
const visits: readonly (readonly [method: 'GET' | 'HEAD' | 'OPTIONS', headers: Readonly<Record<string, string>>])[] = [
  ['HEAD', {}],
  ['OPTIONS', {}],
  ...agents.map((agent) => ['GET', { 'user-agent': agent }] as const),
  ['GET', { 'sec-purpose': 'prefetch' }],
  ['GET', { 'sec-purpose': 'prefetch;prerender' }],
  ['GET', { purpose: 'prefetch' }],
  ['GET', { 'x-moz': 'prefetch' }],
  ['GET', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ['GET', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
  ['HEAD', { 'user-agent': agents[0] ?? '' }]
]

t.test('scanners that open a link, also with the cookies of who asked, leave it to the person', async (t) => {
  const { browser, newBrowser, mailbox, store: probe } = await start(t, { session: { strategy: 'database' } })
  await browser.submit('/api/auth/signin/email', { email: address })
  const { url, code } = mailbox.last()
  probe.forget()
  const scanner = newBrowser()
  for (const [method, headers] of visits) {
    const seen = await scanner.request(method, url, { headers })
    t.ok(seen.status < 500 && seen.location === null, `${method} ${JSON.stringify(headers)}: ${seen.status}`)
  }
  // A preview in the very browser that asked: with its cookies, but no navigation.
  for (const [method, headers] of visits.filter(
    ([, given]) => !('user-agent' in given) && Object.keys(given).length > 0
  )) {
    const seen = await browser.request(method, url, { headers })
    t.equal(seen.location, null, `in the browser that asked: ${method} ${JSON.stringify(headers)}`)
  }
  t.equal(probe.count('useVerificationToken'), 0, 'nothing was used up')
  t.equal(probe.count('createSession') + probe.count('createUser'), 0, 'no user was signed in')
  t.same(await getSession(scanner), {})
  const back = await browser.open(url, { headers: fromAfar })
  t.equal(back.location, origin, 'then the person signs in with one click')
  t.match(await getSession(browser), { user: { email: address } })
  const typed = await browser.submit('/api/auth/callback/email', { code })
  t.match(typed.location, /error=Verification/, 'and the code is used up with it')
})

interface Application {
  readonly url: string
  readonly mailbox: Mailbox
}

async function listen(t: Test): Promise<Application> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  const mailbox = createMailbox()
  await app.register(postern, {
    secret,
    adapter: memoryAdapter(),
    session: { strategy: 'database' },
    theme: { name: 'The Application' },
    providers: [email({ server: 'smtp://mail.test', from: 'App <no-reply@app.test>' })],
    runtime: { sendMail: mailbox.sendMail }
  })
  app.get('/', async (request, reply) => {
    const session = await request.getSession()
    return reply.type('text/html').send(`<p id="who">${session?.user?.email ?? 'nobody'}</p>`)
  })
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), mailbox }
}

/** Asks for a mail as a person does, in this browser. */
async function ask(
  page: Page,
  { url, mailbox }: Application
): Promise<{ readonly link: string; readonly code: string }> {
  await page.goto(`${url}/api/auth/signin?callbackUrl=/`)
  await follow(page, 'form[action$="/signin/email"] button', { 'input[name=email]': 'Ada@Example.com' })
  const { url: link, code } = mailbox.last()
  return { link, code }
}

async function who(page: Page, url: string): Promise<string | null> {
  await page.goto(url)
  return readText(page, '#who')
}

/** A scanner with a real browser: it runs scripts, waits, takes a screenshot, reads everything, and presses nothing. */
async function scan(page: Page, link: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto(link, { waitUntil: isLong ? 'networkidle' : 'load' })
  if (isLong) await page.screenshot()
  await page.mouse.move(100, 100)
  await page.mouse.wheel(0, 500)
  await page.keyboard.press('End')
  await page.reload()
}

/** A page of a browser that has no cookies yet. */
async function newPage(chromium: Chromium, options: BrowserContextOptions = {}): Promise<Page> {
  return (await chromium.newContext(options)).newPage()
}

t.test('with Chromium', { skip: withoutChromium }, async (t) => {
  const chromium = await openChromium()
  const person = await newPage(chromium)
  t.beforeEach(() => person.context().clearCookies())
  const scanners: Page[] = []
  for (const userAgent of agents.slice(0, times(1, 3))) scanners.push(await newPage(chromium, { userAgent }))

  t.test('a scanner that runs scripts but does not press, then the person in the browser that asked', async (t) => {
    const application = await listen(t)
    const { link } = await ask(person, application)
    await fetch(link, { method: 'HEAD' })
    for (const agent of agents.slice(0, 3)) await fetch(link, { headers: { 'user-agent': agent } })
    for (const scanner of scanners) await scan(scanner, link)
    await person.goto(link)
    t.equal(person.url(), `${application.url}/`, 'one click, and no token in the address bar')
    t.equal(await readText(person, '#who'), address)
    await person.goto(link)
    t.match(person.url(), /error=Verification/, 'once')
  })

  t.test('the same, and the person types the code', async (t) => {
    const application = await listen(t)
    const { link, code } = await ask(person, application)
    for (const scanner of scanners.slice(0, 1)) await scan(scanner, link)
    await person.locator('input[name=code]').fill(code.toLowerCase())
    await person.keyboard.press('Enter')
    await person.waitForURL(`${application.url}/`)
    t.equal(await readText(person, '#who'), address)
  })

  for (const javaScriptEnabled of [true, false]) {
    t.test(
      `the person opens the link on another device, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`,
      async (t) => {
        const application = await listen(t)
        const { link } = await ask(person, application)
        for (const scanner of scanners.slice(0, 1)) await scan(scanner, link)
        const telephone = await newPage(chromium, { javaScriptEnabled })
        await telephone.goto(link)
        t.match(await readText(telephone, 'main'), /ada@example\.com/, 'the page names the address')
        t.match(await telephone.content(), /The Application/, 'and the application')
        const buttons = await telephone.evaluate(() => document.querySelectorAll('button').length)
        t.equal(buttons, 1, 'and has one button')
        await follow(telephone, 'button')
        t.equal(telephone.url(), `${application.url}/`)
        t.equal(await readText(telephone, '#who'), address)
        t.equal(await who(person, application.url), 'nobody', 'only there')
        await telephone.context().close()
      }
    )
  }
})
