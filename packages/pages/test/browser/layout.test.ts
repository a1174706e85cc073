import { isLong } from '@postern/testkit/long'
import type { Browser } from 'playwright-core'
import t from 'tap'
import { createRenderer, en } from '../../src/index.ts'
import { createPageContext } from '../samples.ts'
import { adopt, misfits } from './misfits.ts'
import { getScreen, screens } from './screens.ts'
import { openChromium, openViewer, type Viewer, withoutChromium } from './viewer.ts'

let turn = 0

/** Looks at every second screen, at the others the next time; in the long run at each of them. */
async function onEvery(t: Pick<typeof import('tap').t, 'same'>, viewer: Viewer, css = ''): Promise<void> {
  turn += 1
  for (const [name, screen] of Object.entries(screens).filter((_, index) => isLong || (index + turn) % 2 === 0)) {
    const page = await viewer.show(screen, createPageContext())
    if (css) await adopt(page, css)
    t.same(await misfits(page), [], name)
  }
}

const wordy = 'Rechtsschutzversicherungsgesellschaften Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
const wordyTexts = {
  ...en,
  signIn: { ...en.signIn, submit: (name: string) => `${wordy} ${name}`, email: wordy, heading: wordy, or: wordy },
  signOut: { heading: wordy, question: wordy, submit: wordy, stay: wordy },
  verifyRequest: { ...en.verifyRequest, heading: wordy, submit: wordy, codeHint: () => wordy, again: wordy }
}

t.test('layout', { skip: withoutChromium }, async (t) => {
  const browser: Browser = await openChromium(t)

  await t.test('every target is at least 44 pixels high and wide', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 320, height: 640 } })
    for (const [name, screen] of Object.entries(screens)) {
      const page = await viewer.show(screen, createPageContext())
      const sizes = await page.evaluate(() =>
        // A link in a sentence is as high as its line (WCAG 2.2, 2.5.8); a check box is pressed by its label too.
        [
          ...document.querySelectorAll('button, a:not(p a), input:not([type=hidden], [type=checkbox]), .field-check')
        ].map((target) => {
          const { width, height } = target.getBoundingClientRect()
          return { width, height, text: target.outerHTML.slice(0, 80) }
        })
      )
      t.same(
        sizes.filter(({ width, height }) => width < 44 || height < 44),
        [],
        name
      )
    }
    await viewer.context.close()
  })

  await t.test('at 400 % of a window of 1280 by 1024, nothing is cut or scrolls sideways', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 })
    await onEvery(t, viewer)
    await viewer.context.close()
  })

  await t.test('with text twice as large', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 480, height: 800 } })
    await onEvery(t, viewer, 'html{font-size:200%!important}')
    await viewer.context.close()
  })

  await t.test('with the text spacing of WCAG 1.4.12', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 320, height: 640 } })
    const spacing = 'line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important'
    await onEvery(t, viewer, `*{${spacing}}p{margin-bottom:2em!important}`)
    await viewer.context.close()
  })

  await t.test('with very long words, from the left and from the right', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 320, height: 640 } })
    for (const dir of ['ltr', 'rtl'] as const) {
      const renderer = await createRenderer({ texts: { en: { ...wordyTexts, dir } } })
      for (const name of ['sign-in', 'sign-in-ten-providers', 'sign-in-all-ways', 'sign-out', 'verify-request-code']) {
        t.same(
          await misfits(await viewer.show(getScreen(name), createPageContext(), { renderer })),
          [],
          `${name} ${dir}`
        )
      }
    }
    await viewer.context.close()
  })

  await t.test('a button that is too narrow for its text is found', async (t) => {
    const viewer = await openViewer(browser, { viewport: { width: 320, height: 640 } })
    const page = await viewer.show(getScreen('sign-in-ten-providers'), createPageContext())
    await adopt(page, '.button{width:6rem;height:1rem;min-height:0;padding:0}')
    t.match((await misfits(page)).join(), /Sign in with Google/)
    await adopt(page, '.card{width:90rem}')
    t.match((await misfits(page)).join(), /wide in 320/)
    await viewer.context.close()
  })

  await t.test('from right to left, marks and marks of being busy change sides', async (t) => {
    const renderer = await createRenderer({ texts: { en: { dir: 'rtl' } } })
    const viewer = await openViewer(browser)
    const page = await viewer.show(getScreen('sign-in'), createPageContext(), { renderer })
    const [mark, button] = await Promise.all([
      page.locator('.mark').first().boundingBox(),
      page.locator('.button').first().boundingBox()
    ])
    t.ok(mark && button && mark.x > button.x + button.width / 2)
    await viewer.context.close()
  })
})
