import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import { isLong, some } from '@postern/testkit/long'
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { createRenderer, en } from '../../src/index.ts'
import { createPageContext } from '../samples.ts'
import { adopt, misfits } from './misfits.ts'
import { getScreen, screens } from './screens.ts'
import { openViewer } from './viewer.ts'

const phone = { width: 320, height: 640 }

/** The targets that are less than 44 pixels high or wide. */
const smallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    // A link in a sentence is as high as its line (WCAG 2.2, 2.5.8); a check box is pressed by its label too.
    [
      ...document.querySelectorAll(
        'button, summary, a:not(p a), input:not([type=hidden], [type=checkbox]), .field-check'
      )
    ]
      .filter((target) => target.checkVisibility())
      .map((target) => ({ ...target.getBoundingClientRect().toJSON(), text: target.outerHTML.slice(0, 80) }))
      .filter(({ width, height }) => width < 44 || height < 44)
      .map(({ width, height, text }) => `${width} by ${height}: ${text}`)
  )

const wordy = 'Rechtsschutzversicherungsgesellschaften Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
const wordyTexts = {
  ...en,
  signIn: { ...en.signIn, submit: (name: string) => `${wordy} ${name}`, email: wordy, heading: wordy, or: wordy },
  signOut: { heading: wordy, question: wordy, submit: wordy, stay: wordy },
  verifyRequest: { ...en.verifyRequest, heading: wordy, submit: wordy, codeHint: () => wordy, again: wordy }
}

t.test('layout', { skip: withoutChromium }, async (t) => {
  const browser: Browser = await openChromium()

  const viewer = await openViewer(browser, { viewport: phone })
  const { page } = viewer

  // A widget of 300 pixels is wider than the text of a phone of 320.
  await t.test('on a phone the widget of a captcha does not widen the form', async (t) => {
    await viewer.show(getScreen('sign-in-email-captcha'), createPageContext())
    const getWidths = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('html, .button, .input')].map((element) => element.getBoundingClientRect().width)
      )
    const before = await getWidths()
    await page.evaluate(() => {
      const widget = document.createElement('div')
      widget.style.width = '300px'
      widget.style.height = '65px'
      document.querySelector('.cf-turnstile')?.append(widget)
    })
    t.same(await getWidths(), before)
    t.ok(before.length === 3 && (await page.locator('.cf-turnstile').boundingBox())?.height === 65)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), phone.width)
  })

  await t.test('on a phone every target is large enough, and enlarged or spaced text fits', async (t) => {
    for (const [index, [name, screen]] of Object.entries(screens).entries()) {
      await viewer.show(screen, createPageContext())
      t.same(await smallTargets(page), [], `${name}: every target is at least 44 pixels high and wide`)
      const spacing = 'line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important'
      // Spaced and enlarged in turn; in the long run spaced, and then enlarged too.
      if (isLong || index % 2 === 0) {
        await adopt(page, `*{${spacing}}p{margin-bottom:2em!important}`)
        t.same(await misfits(page), [], `${name}: with the text spacing of WCAG 1.4.12`)
      }
      if (isLong || index % 2 === 1) {
        await adopt(page, 'html{font-size:200%!important}')
        await page.setViewportSize({ width: 480, height: 800 })
        t.same(await misfits(page), [], `${name}: with text twice as large`)
        await page.setViewportSize(phone)
      }
    }
  })

  await t.test('at 400 % of a window of 1280 by 1024, nothing is cut or scrolls sideways', async (t) => {
    const enlarged = await openViewer(browser, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })
    // Every third screen: the others are as wide above. In the long run each of them.
    for (const [name, screen] of Object.entries(screens).filter((_, index) => isLong || index % 3 === 0))
      t.same(await misfits(await enlarged.show(screen, createPageContext())), [], name)
    await enlarged.context.close()
  })

  await t.test('with very long words, from the left and from the right', async (t) => {
    const names = ['sign-in', 'sign-in-ten-providers', 'sign-in-all-ways', 'sign-out', 'verify-request-code']
    const cases = (['ltr', 'rtl'] as const).flatMap((dir) => names.map((name) => ({ dir, name })))
    for (const { dir, name } of some(cases, Object.values, 1)) {
      const renderer = await createRenderer({ texts: { en: { ...wordyTexts, dir } } })
      t.same(await misfits(await viewer.show(getScreen(name), createPageContext(), { renderer })), [], `${name} ${dir}`)
    }
  })

  await t.test('a button that is too narrow for its text is found', async (t) => {
    await viewer.show(getScreen('sign-in-ten-providers'), createPageContext())
    await adopt(page, '.button{width:6rem;height:1rem;min-height:0;padding:0}')
    t.match((await misfits(page)).join(), /Sign in with Google/)
    await adopt(page, '.card{width:90rem}')
    t.match((await misfits(page)).join(), /wide in 320/)
  })

  await t.test('from right to left, marks and marks of being busy change sides', async (t) => {
    const renderer = await createRenderer({ texts: { en: { dir: 'rtl' } } })
    await page.setViewportSize({ width: 1024, height: 768 })
    await viewer.show(getScreen('sign-in'), createPageContext(), { renderer })
    const [mark, button] = await Promise.all([
      page.locator('.mark').first().boundingBox(),
      page.locator('.button').first().boundingBox()
    ])
    t.ok(mark && button && mark.x > button.x + button.width / 2)
  })
})
