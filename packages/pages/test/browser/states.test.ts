import { setTimeout } from 'node:timers/promises'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { some } from '@postern/testkit/long'
import type { Page } from 'playwright-core'
import t from 'tap'
import { createPageContext } from '../samples.ts'
import { getScreen, screens } from './screens.ts'
import { openViewer } from './viewer.ts'

/** Every kind of screen once, and every kind of sign-in method; in the long run all screens. */
const kinds = some(
  Object.entries(screens),
  ([, screen]) => [screen.name, ...('choices' in screen ? screen.choices.map(({ type }) => type) : [])],
  1
)

t.test('in a browser', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  const viewer = await openViewer(browser)
  const { page } = viewer
  /** Media as they are without an option, except for these. */
  const emulate = (media: Parameters<Page['emulateMedia']>[0] = {}): Promise<void> =>
    page.emulateMedia({ colorScheme: null, contrast: null, forcedColors: null, reducedMotion: null, ...media })

  await t.test('one style sheet and nothing else is requested, and the policy refuses nothing', async (t) => {
    const plain = await openViewer(browser, { javaScriptEnabled: false })
    const context = createPageContext()
    for (const [name, screen] of kinds) {
      await plain.page.emulateMedia({ colorScheme: 'light' })
      await plain.load(screen, context)
      // What the other scheme needs is requested when it is drawn.
      await plain.page.emulateMedia({ colorScheme: 'dark' })
      await plain.page.evaluate(() => document.body.getBoundingClientRect().width)
      t.ok(
        plain.requests
          .splice(0)
          .every((url) => /^https:\/\/app\.example\.com\/api\/auth\/assets\/[\da-f]{16}\.css$/.test(url)),
        name
      )
    }
    t.same(plain.complaints, [])
    await plain.context.close()
  })

  await t.test('the colors of marks follow the scheme, also one that is configured', async (t) => {
    const fills = async (colorScheme: 'light' | 'dark', configured: 'auto' | 'light' | 'dark'): Promise<string> => {
      await emulate({ colorScheme })
      await viewer.show(getScreen('sign-in-one-provider'), createPageContext({ colorScheme: configured }))
      return page.locator('.mark path').evaluate((path) => getComputedStyle(path).fill)
    }
    const [light, dark] = ['rgb(24, 23, 23)', 'rgb(236, 238, 242)']
    // A style sheet that loads for a moment longer than the document.
    await page.route('**/*.css', async (route) => {
      await setTimeout(50)
      await route.fallback()
    })
    t.equal(await fills('light', 'auto'), light)
    t.equal(await fills('dark', 'auto'), dark)
    t.equal(await fills('dark', 'light'), light)
    t.equal(await fills('light', 'dark'), dark)
    await page.unroute('**/*.css')
  })

  await t.test('a pressed button is busy at once, and stays so while the response is on its way', async (t) => {
    await emulate()
    await viewer.show(getScreen('sign-in-one-provider'), createPageContext())
    const busy = (): Promise<string> =>
      page.locator('button').evaluate((button) => {
        const { visibility, opacity } = getComputedStyle(button, '::after')
        return `${visibility} ${opacity}`
      })
    t.equal(await busy(), 'hidden 0')
    await page.locator('button').hover()
    await page.mouse.down()
    t.equal(await busy(), 'visible 1')
    await page.mouse.up()
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.currentTime = 1000
    })
    t.equal(await busy(), 'visible 1', 'a second later')
  })

  await t.test('there is no animation with reduced motion', async (t) => {
    for (const reducedMotion of ['reduce', 'no-preference'] as const) {
      await emulate({ reducedMotion })
      await viewer.show(getScreen('sign-in-all-ways'), createPageContext())
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const [own, after] = [getComputedStyle(element), getComputedStyle(element, '::after')]
            return own.transitionDuration !== '0s' || own.animationName !== 'none' || after.animationName !== 'none'
          }).length
      )
      t.equal(moving > 0, reducedMotion === 'no-preference', reducedMotion)
    }
  })

  await t.test('forced colors: edges stay, and marks have the color of the text', async (t) => {
    await emulate({ forcedColors: 'active' })
    await viewer.show(getScreen('sign-in'), createPageContext())
    const ink = await page.locator('h1').evaluate((heading) => getComputedStyle(heading).color)
    for (const part of ['.button-main', '.button-provider', '.input']) {
      const edge = await page
        .locator(part)
        .first()
        .evaluate((box) => getComputedStyle(box).borderTopColor)
      t.equal(edge, ink, part)
    }
    for (const path of await page.locator('.mark path').all())
      t.equal(await path.evaluate((shape) => getComputedStyle(shape).fill), ink)
    const line = await page.locator('.or').evaluate((or) => getComputedStyle(or, '::before').backgroundColor)
    t.equal(line, ink, 'the lines beside "or"')
  })

  await t.test('forced colors: an invalid field differs from a valid one', async (t) => {
    await emulate({ forcedColors: 'active' })
    const width = async (name: string): Promise<string> => {
      await viewer.show(getScreen(name), createPageContext())
      return page
        .locator('.input')
        .first()
        .evaluate((input) => getComputedStyle(input).borderTopWidth)
    }
    t.not(await width('sign-in-wrong-email'), await width('sign-in-email-only'))
  })

  await t.test('forced colors: pictures have the color of the text', async (t) => {
    await emulate({ forcedColors: 'active' })
    for (const [name, picture] of [
      ['error-access-denied', '.badge'],
      ['confirm', '.badge'],
      ['confirm', '.identity svg']
    ] as const) {
      await viewer.show(getScreen(name), createPageContext())
      const getColor = (part: string): Promise<string> =>
        page.locator(part).evaluate((element) => getComputedStyle(element).color)
      t.equal(await getColor(picture), await getColor('h1'), `${picture} of ${name}`)
    }
  })

  await t.test('forced colors: a logo with a ground and a letter on its shape have two colors', async (t) => {
    await emulate({ forcedColors: 'active' })
    await viewer.show(getScreen('sign-in-ten-providers'), createPageContext())
    for (const logo of ['.button-facebook .mark', '.mark-letter']) {
      const fills = await page
        .locator(logo)
        .first()
        .evaluate((svg) => [...svg.children].map((shape) => getComputedStyle(shape).fill))
      t.equal(new Set(fills).size, 2, `${logo}: ${fills.join()}`)
    }
  })

  await t.test('without the style sheet, pictures are as small as text', async (t) => {
    const bare = await openViewer(browser)
    const { page } = bare
    await bare.context.route('**/*.css', (route) => route.fulfill({ status: 404, body: '' }))
    for (const name of ['sign-in-ten-providers', 'confirm', 'other-user', 'error-default']) {
      await bare.load(getScreen(name), createPageContext())
      const widths = await page
        .locator('svg')
        .evaluateAll((pictures) => pictures.map((picture) => picture.getBoundingClientRect().width))
      t.ok(widths.length > 0 && widths.every((width) => width > 0 && width <= 48), `${name}: ${widths.join()}`)
    }
    await bare.context.close()
  })

  await t.test('a very long address takes six lines', async (t) => {
    await emulate()
    await page.setViewportSize({ width: 320, height: 568 })
    const identifier = `${'a'.repeat(64)}@${'very-long-'.repeat(18)}.example.com`
    for (const name of ['confirm', 'verify-request-code']) {
      const screen = { ...getScreen(name), identifier }
      await viewer.show(screen, createPageContext())
      const lines = await page.locator('.identity bdi').evaluate((text) => {
        const { lineHeight } = getComputedStyle(text)
        return Math.round(text.getBoundingClientRect().height / Number.parseFloat(lineHeight))
      })
      t.equal(lines, 6, name)
      t.equal(await page.locator('.identity bdi').getAttribute('title'), identifier)
    }
    await page.setViewportSize({ width: 1024, height: 768 })
  })

  await t.test('who wants more contrast gets edges and hints in the color of the text', async (t) => {
    // A field under the pointer has the color of the text.
    await page.mouse.move(0, 0)
    for (const contrast of ['no-preference', 'more'] as const) {
      // Without transitions, colors are at their end.
      await emulate({ contrast, reducedMotion: 'reduce' })
      await viewer.show(getScreen('verify-request-code'), createPageContext())
      const ink = await page.locator('h1').evaluate((heading) => getComputedStyle(heading).color)
      const edge = await page.locator('.input').evaluate((box) => getComputedStyle(box).borderTopColor)
      const hint = await page
        .locator('.hint')
        .first()
        .evaluate((text) => getComputedStyle(text).color)
      t.same([edge === ink, hint === ink], contrast === 'more' ? [true, true] : [false, false], contrast)
    }
  })

  await t.test('an error is announced, and is the description of its field', async (t) => {
    await emulate()
    for (const [name, field] of [
      ['sign-in-wrong-password', '#input-password-for-credentials-provider'],
      ['sign-in-wrong-email', '#input-email-for-email-provider'],
      ['verify-request-wrong-code', '#input-code']
    ] as const) {
      await viewer.show(getScreen(name), createPageContext())
      const tools = await viewer.context.newCDPSession(page)
      const { root } = await tools.send('DOM.getDocument')
      const { nodeId } = await tools.send('DOM.querySelector', { nodeId: root.nodeId, selector: field })
      const { nodes } = await tools.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false })
      const notice = (await page.getByRole('alert').textContent()) ?? ''
      t.ok(notice.length > 10, name)
      t.ok(String(nodes[0]?.description?.value).includes(notice.trim()), `${name}: ${nodes[0]?.description?.value}`)
      const invalid = nodes[0]?.properties?.find((property) => property.name === 'invalid')
      t.equal(invalid?.value.value, 'true', name)
      await tools.detach()
    }
  })
})
