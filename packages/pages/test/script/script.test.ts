/// <reference lib="dom" />
import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Renderer, Page as Screen } from '@postern/core'
import { fill, openChromium, withoutChromium } from '@postern/testkit/chromium'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createRenderer, en, renderer } from '../../src/index.ts'
import * as sample from '../samples.ts'
import { createPageContext } from '../samples.ts'

interface Site {
  readonly url: string
  /** The forms that were sent. */
  readonly posts: string[]
  /** Waits until so many forms have arrived. */
  readonly arrived: (count: number) => Promise<void>
  /** Answers everything that waits. */
  readonly result: () => void
}

/** A site that serves screens with the policy of the core, and responds to forms on command. */
async function openSite(
  t: Test,
  screens: Readonly<Record<string, Screen>>,
  drawing: Required<Renderer>
): Promise<Site> {
  const posts: string[] = []
  const waiting: ServerResponse[] = []
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (request.method === 'POST') {
      request.setEncoding('utf8')
      let body = ''
      request.on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        posts.push(`${pathname}?${body}`)
        waiting.push(response)
        arrivals.emit('post')
      })
      return
    }
    const context = site.context
    const screen = screens[pathname.slice(1)]
    const asset = drawing.asset(pathname.split('/').at(-1) ?? '', context)
    if (screen) {
      const script = drawing.scripted.has(screen.name) ? `script-src ${context.origin}/api/auth/assets/; ` : ''
      const policy = `default-src 'none'; style-src 'self'; img-src 'self' data:; ${script}base-uri 'none'`
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      response.end(drawing.page(screen, context, { languages: [] }))
    } else if (asset) response.writeHead(200, { 'content-type': asset.contentType }).end(asset.body)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Elsewhere</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const site = { context: { ...createPageContext(), origin: url } }
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const result = (): void => {
    for (const response of waiting.splice(0)) response.writeHead(303, { location: '/elsewhere' }).end()
  }
  const arrived = async (count: number): Promise<void> => {
    while (posts.length < count) await once(arrivals, 'post')
  }
  return { url, posts, arrived, result }
}

async function openPage(t: Test, browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '')

/** Waits until the page has handled its input: two frames. */
const handled = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))

/** Where the first button is, or the one with this text. */
const findButton = (page: Page, text = ''): Promise<{ readonly x: number; readonly y: number }> =>
  page.evaluate((text) => {
    const button = [...document.querySelectorAll('button')].find((each) => each.textContent.includes(text))
    const { x, y, width, height } = button?.getBoundingClientRect() ?? new DOMRect()
    return { x: x + width / 2, y: y + height / 2 }
  }, text)

/** Presses the first button once, or again when its form has arrived: where it is does not change. */
async function press(page: Page, arrived?: Promise<void>): Promise<void> {
  const { x, y } = await findButton(page)
  await page.mouse.click(x, y)
  if (!arrived) return
  await arrived
  await page.mouse.click(x, y)
}

const pressTwice = (site: Site, page: Page, before = 0): Promise<void> => press(page, site.arrived(before + 1))

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((given) => {
    const field = document.querySelector<HTMLInputElement>('#input-code')
    field?.focus()
    field?.select()
    return navigator.clipboard.writeText(given)
  }, text)
  await page.keyboard.press('Control+V')
}

const screens = {
  signout: sample.signOut,
  code: sample.verifyRequest,
  wrong: { ...sample.verifyRequest, code: { action: '/code', csrfToken: 'token-1', length: 8, wrong: true } },
  short: { ...sample.verifyRequest, code: { action: '/code', csrfToken: 'token-1', length: 6, wrong: false } },
  email: { ...sample.signIn, choices: [sample.email] },
  password: { ...sample.signIn, choices: [sample.password] },
  providers: { ...sample.signIn, choices: [sample.github, sample.email] },
  error: sample.error
}
const withScript = await createRenderer({ script: true })

t.test('the script, in Chromium', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const { page, complaints } = await openPage(t, browser)

  await t.test('a form is sent once, however often it is pressed, and again after coming back', async (t) => {
    const site = await openSite(t, screens, withScript)
    await page.goto(`${site.url}/signout`)
    await pressTwice(site, page)
    site.result()
    await page.waitForURL('**/elsewhere')
    t.equal(site.posts.length, 1)
    t.match(site.posts[0], /^\/api\/auth\/signout\?csrfToken=token-1&callbackUrl=/, 'with every field')
    await page.goBack()
    await page.waitForURL('**/signout')
    await pressTwice(site, page, 1)
    site.result()
    await page.waitForURL('**/elsewhere')
    t.equal(site.posts.length, 2)
    t.same(complaints, [], 'the policy lets it run')
  })

  await t.test('a page that is restored from the back-forward cache can be submitted again', async (t) => {
    const site = await openSite(t, screens, withScript)
    await page.goto(`${site.url}/signout`)
    await page.evaluate(() => document.forms[0]?.setAttribute('data-sent', 'true'))
    await press(page)
    await handled(page)
    t.equal(site.posts.length, 0)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await pressTwice(site, page)
    site.result()
    await page.waitForURL('**/elsewhere')
    t.equal(site.posts.length, 1)
  })

  await t.test('another form of the page can still be sent', async (t) => {
    const site = await openSite(t, screens, withScript)
    await page.goto(`${site.url}/providers`)
    await fill(page, { 'input[type=email]': 'ada@example.com' })
    const [other, button] = [await findButton(page, 'GitHub'), await findButton(page, 'Email me a sign-in link')]
    await page.mouse.click(button.x, button.y)
    await site.arrived(1)
    await page.mouse.click(other.x, other.y)
    await site.arrived(2)
    t.equal(site.posts.length, 2)
    site.result()
    // `waitForURL` would reject when the first form's navigation, which the second one replaces, is aborted.
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor()
  })

  await t.test('a button shows the password while it is pressed, and the form is sent with a hidden one', async (t) => {
    const site = await openSite(t, screens, withScript)
    await page.goto(`${site.url}/password`)
    const field = page.getByLabel('Password', { exact: true })
    const button = page.getByRole('button', { name: 'Show password' })
    const read = async () => [await field.getAttribute('type'), await button.getAttribute('aria-pressed')]
    await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.com')
    await field.fill('a sentence')
    t.same(await read(), ['password', 'false'])
    await field.press('Tab')
    await page.keyboard.press('Space')
    t.same(await read(), ['text', 'true'])
    t.same(site.posts, [], 'it does not send the form')
    await page.keyboard.press('Enter')
    t.same(await read(), ['password', 'false'])
    await button.click()
    await page.evaluate(() => addEventListener('submit', (event) => event.preventDefault()))
    await field.press('Enter')
    t.same(await read(), ['password', 'false'], 'a browser stores what is sent as a text')
    t.same(complaints, [])
    const plain = await openPage(t, browser, { javaScriptEnabled: false })
    await plain.page.goto(`${site.url}/password`)
    t.equal(await plain.page.getByRole('button', { name: 'Show password' }).count(), 0, 'no script, no button')
  })

  await t.test('a pasted complete code is submitted, anything else is not', async (t) => {
    const site = await openSite(t, screens, withScript)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${site.url}/code`)
    for (const text of ['BCDF', 'BCDFGHJ1', 'BCDFGHJKL']) {
      await paste(page, text)
      await handled(page)
      t.same(site.posts, [], text)
      t.equal(await page.evaluate(() => document.querySelector<HTMLInputElement>('#input-code')?.value), text)
    }
    for (const text of ['BCDFGHJK', 'bcdf-ghjk', ' BCDF GHJK ']) {
      await page.goto(`${site.url}/code`)
      await paste(page, text)
      await site.arrived(1)
      t.match(site.posts.splice(0), [/^\/api\/auth\/callback\/email\?csrfToken=token-1&code=/], text)
      site.result()
      await page.waitForURL('**/elsewhere')
    }
    await page.goto(`${site.url}/short`)
    await paste(page, 'bcdfgh')
    await site.arrived(1)
    t.match(site.posts.splice(0), [/&code=bcdfgh$/], 'whatever the length of codes is')
    site.result()
    await page.waitForURL('**/elsewhere')
  })

  await t.test('another mail can be sent after a while, which is counted down', async (t) => {
    const site = await openSite(t, screens, withScript)
    const { page } = await openPage(t, browser)
    await page.clock.install()
    await page.goto(`${site.url}/code`)
    const again = page.getByRole('button', { name: en.verifyRequest.again })
    t.equal(await again.textContent(), `${en.verifyRequest.again} (30)`)
    t.ok(await again.isDisabled())
    await page.clock.runFor(12_000)
    t.equal(await again.textContent(), `${en.verifyRequest.again} (18)`)
    await page.clock.runFor(18_000)
    t.equal(await again.textContent(), en.verifyRequest.again)
    const { x, y } = await findButton(page, en.verifyRequest.again)
    await page.mouse.click(x, y)
    await site.arrived(1)
    t.match(site.posts, [/email=ada%40example\.com/])
    site.result()
  })

  await t.test('the cursor is where a visitor types first, and only with a mouse', async (t) => {
    const site = await openSite(t, screens, withScript)
    const at = async (name: string, on: Page): Promise<string> => {
      await on.goto(`${site.url}/${name}`)
      return focused(on)
    }
    t.equal(await at('code', page), 'input-code')
    t.equal(await at('wrong', page), 'input-code')
    t.equal(await at('email', page), 'input-email-for-email-provider')
    t.equal(await at('providers', page), '', 'not past the providers')
    t.equal(await at('error', page), '')
    const { page: phone } = await openPage(t, browser, { hasTouch: true, isMobile: true })
    t.equal(await at('code', phone), '')
  })

  await t.test('without JavaScript, and without the script, forms are submitted normally', async (t) => {
    for (const [drawing, javaScriptEnabled] of [
      [withScript, false],
      [renderer, true]
    ] as const) {
      const site = await openSite(t, screens, drawing)
      const { page, complaints } = await openPage(t, browser, { javaScriptEnabled })
      await page.goto(`${site.url}/code`)
      t.equal(await page.evaluate(() => document.scripts.length), drawing === renderer ? 0 : 1)
      await fill(page, { '#input-code': 'BCDFGHJK' })
      await pressTwice(site, page)
      await site.arrived(2)
      t.match(site.posts, [/code=BCDFGHJK$/, /code=BCDFGHJK$/], 'twice, because nothing prevents it')
      t.same(complaints, [])
    }
  })
})

t.test('it is small, and named after its content', async (t) => {
  const html = withScript.page(sample.signIn, createPageContext())
  const [, name = ''] = /assets\/([\da-f]{16}\.js)"/.exec(html) ?? []
  const asset = withScript.asset(name, createPageContext())
  t.ok(asset && asset.body.length < 1200, `${asset?.body.length} characters`)
  t.equal(renderer.asset(name, createPageContext()), null)
  t.notMatch(renderer.page(sample.signIn, createPageContext()), '<script')
  t.same([...renderer.scripted], [])
})
