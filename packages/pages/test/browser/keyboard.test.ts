import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong } from '@postern/testkit/long'
import type { Page, Response } from 'playwright-core'
import t from 'tap'
import { en } from '../../src/index.ts'
import { contrast, parseColor } from '../../src/styles/color.ts'
import { neutrals } from '../../src/styles/palette.ts'
import { createPageContext } from '../samples.ts'
import { getScreen, screens } from './screens.ts'
import { openViewer } from './viewer.ts'

/** The focused element: its position in the page, the field's name or the control's text, and its outline. */
interface Focused {
  readonly position: number
  readonly name: string
  readonly style: string
  readonly width: number
  readonly color: string
}

const focused = (page: Page): Promise<Focused> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const position = Array.from(document.querySelectorAll('body *')).indexOf(element)
    const name = element instanceof HTMLInputElement ? element.name : (element.textContent ?? '').trim()
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    return { position, name, style: outlineStyle, width: Number.parseFloat(outlineWidth), color: outlineColor }
  })

/**
 * Presses Tab until the focus repeats, and returns the focused elements. A page with a mistake begins at the field to correct:
 * the focus leaves it once, and returns to the beginning.
 */
async function tabbed(page: Page, at: (element: Focused) => void = () => undefined): Promise<readonly string[]> {
  const met = new Map<number, string>()
  let hasLeft = (await focused(page)).position <= 0
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const element = await focused(page)
    if (element.position < 0 && !hasLeft) {
      hasLeft = true
      continue
    }
    if (element.position < 0 || met.has(element.position)) break
    met.set(element.position, element.name)
    at(element)
  }
  return [...met.values()]
}

const orders: Readonly<Record<string, readonly string[]>> = {
  'sign-in': [
    'Sign in with Google',
    'Sign in with Apple',
    'Sign in with Microsoft',
    'email',
    'Email me a sign-in link'
  ],
  'verify-request-code': ['code', 'Sign in', en.verifyRequest.again, en.verifyRequest.otherAddress],
  'step-up': ['Sign in with GitHub', 'Another way', 'Not now'],
  confirm: ['Yes, sign me in', 'Use a different address'],
  'sign-out': ['Sign out', 'Stay signed in'],
  'confirm-link': ['Connect', 'Not now'],
  'other-user': ['Go on as you are', 'Sign in with GitHub'],
  'error-default': ['Sign in']
}

const rgb = /^rgba?\((\d+), (\d+), (\d+)/

t.test('with the keyboard alone', { skip: withoutChromium }, async (t) => {
  const browser = await openChromium()
  // Without JavaScript, as the screens work: nothing moves the focus.
  const viewer = await openViewer(browser, { javaScriptEnabled: false })
  const { page, posts } = viewer
  /** Presses a key that sends a form. @returns What was sent. */
  const send = async (key: string): Promise<string> => {
    const isPost = (response: Response): boolean => response.request().method() === 'POST'
    await Promise.all([page.waitForResponse(isPost), page.keyboard.press(key)])
    return posts
      .splice(0)
      .map(({ path, body }) => `${path}?${body}`)
      .join()
  }

  await t.test('Tab goes through a screen in the order in which it is read', async (t) => {
    for (const [name, order] of Object.entries(orders)) {
      await viewer.show(getScreen(name), createPageContext())
      t.same(await tabbed(page), order, name)
    }
  })

  await t.test('Enter sends the form of the field', async (t) => {
    await viewer.show(getScreen('sign-in-all-ways'), createPageContext())
    await page.locator('#input-email-for-email-provider').fill('ada@example.com')
    t.match(await send('Enter'), /^\/api\/auth\/signin\/email\?.*email=ada%40example\.com/)
    await page.locator('summary').click()
    await page.locator('#input-username-for-credentials-provider').fill('ada')
    await page.locator('#input-password-for-credentials-provider').fill('lovelace')
    t.match(await send('Enter'), /^\/x\?.*username=ada&password=lovelace$/)
    await viewer.show(getScreen('verify-request-code'), createPageContext())
    await page.keyboard.press('Tab')
    await page.keyboard.type('abcd efgh')
    t.match(await send('Enter'), /^\/api\/auth\/callback\/email\?.*code=abcd\+efgh$/)
  })

  await t.test('Enter and Space press a button; an empty address is not sent', async (t) => {
    await viewer.show(getScreen('confirm'), createPageContext())
    for (const key of ['Enter', 'Space']) {
      await viewer.show(getScreen('confirm'), createPageContext())
      await page.keyboard.press('Tab')
      t.match(await send(key), /^\/api\/auth\/callback\/email\?.*token=abc/, key)
    }
    await viewer.show(getScreen('sign-in-email-only'), createPageContext())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.type('ada@example.com')
    t.match(await send('Enter'), /^[^,]*&email=ada%40example\.com$/, 'only the second')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    await t.test(`every control is reached, and the focus can be seen on it, ${colorScheme}`, async (t) => {
      await page.emulateMedia({ colorScheme })
      const around = parseColor(neutrals[colorScheme].card)
      const all = Object.entries(screens)
      for (const [name, screen] of isLong
        ? all
        : all.filter((_, index) => index % 2 === Number(colorScheme === 'dark'))) {
        await viewer.show(screen, createPageContext({ brandColor: name.length % 2 ? '#ffd400' : '' }))
        const controls = await page.evaluate(
          () =>
            [...document.querySelectorAll('a, button, summary, input:not([type=hidden])')].filter(
              (element) => element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true })
            ).length
        )
        const met = await tabbed(page, ({ name: element, style, width, color }) => {
          const [, red, green, blue] = rgb.exec(color) ?? []
          const ring = parseColor(`rgb(${red} ${green} ${blue})`)
          const isSeen = style === 'solid' && width >= 2 && ring && around && contrast(ring, around) >= 3
          if (!isSeen) t.fail(`${name}: ${element} has ${style} ${width} ${color}`)
        })
        t.equal(met.length, controls, `${name}: every control is reached`)
      }
    })
  }
})
