import type { SignInOption } from '@postern/core'
import { runAxeInside } from '@postern/testkit/axe'
import { openChromium, withoutChromium } from '@postern/testkit/chromium'
import type { Page } from 'playwright-core'
import t from 'tap'
import * as sample from '../samples.ts'
import { providers } from './screens.ts'
import { openViewer } from './viewer.ts'

type SignInPage = sample.PageOf<'signin'>

const { passkey, email, work, password, ownPassword } = sample
const methods: readonly (readonly SignInOption[])[] = [
  [email],
  [password],
  [ownPassword],
  [email, password],
  [password, ownPassword],
  [work, email, ownPassword],
  [password, passkey, email],
  [...providers.slice(0, 6), passkey, email, password],
  [...providers, ownPassword, password, work]
]

const wrong = (choices: readonly SignInOption[]): Partial<SignInPage> => {
  const failed = choices.find(({ type }) => type === 'credentials') ?? email
  const error = failed.type === 'email' ? 'EmailSignin' : 'CredentialsSignin'
  return { error, failedForm: { providerId: failed.id, identifier: 'grace@example.com' }, ref: 'req-2f9c' }
}
const invalid = (choices: readonly SignInOption[]): Partial<SignInPage> => {
  const failed = choices.find(({ type }) => type === 'email')
  const failedForm = failed ? { providerId: failed.id, identifier: 'grace' } : null
  return failedForm ? { error: 'EmailSignin', reason: 'invalid', failedForm } : { error: 'Callback' }
}
const plain = (): Partial<SignInPage> => ({ lastUsed: 'email' })

/** 9 sets of methods, each without a mistake, with a wrong password, and with an invalid address, except the last of 27. */
const cases = methods
  .flatMap((choices) =>
    [plain, wrong, invalid].map(
      (more): SignInPage => ({ ...sample.signIn, links: sample.links, choices, ...more(choices) })
    )
  )
  .slice(0, 24)

/** What a visitor sees at once: counts, and what is outside the window. */
const look = (page: Page) =>
  page.evaluate(() => {
    const isSeen = (element: Element): boolean => element.checkVisibility() && element.getClientRects().length > 0
    const all = (selector: string): readonly Element[] => [...document.querySelectorAll(selector)].filter(isSeen)
    const isInside = (element: Element): boolean => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }
    const [focused] = document.querySelectorAll('[autofocus]')
    return {
      dividers: all('.or').length,
      addresses: all('input[type=email]').length,
      primary: all('.button-main').length,
      hasForm: all('input:not([type=hidden])').length > 0,
      areNoticesInside: all('#notice').every(isInside),
      isFocusInside: focused === undefined || isInside(focused),
      isFocusWrong: focused === undefined || focused.getAttribute('aria-invalid') === 'true',
      hasIcons: all('.notice-problem').every((notice) => notice.querySelector('svg') !== null),
      iconColors: all('.notice-problem').map((notice) => getComputedStyle(notice.querySelector('svg') ?? notice).color),
      problemColors: all('.notice-problem').map((notice) => getComputedStyle(notice).color),
      overflow: document.documentElement.scrollWidth - innerWidth
    }
  })

t.test('the sign-in page on a phone of 390 by 600', { skip: withoutChromium }, async (t) => {
  const viewer = await openViewer(await openChromium(), {
    viewport: { width: 390, height: 600 },
    reducedMotion: 'reduce'
  })
  for (const [index, screen] of cases.entries()) {
    const name = `${screen.choices.map(({ id }) => id)} ${screen.error}`
    const page = await viewer.show(screen, sample.createPageContext())
    const seen = await look(page)
    t.ok(seen.dividers <= 1 && seen.addresses <= 1 && seen.overflow <= 0, `${name}: ${JSON.stringify(seen)}`)
    t.equal(seen.primary, seen.hasForm ? 1 : 0, name)
    t.match(seen, { areNoticesInside: true, isFocusInside: true, isFocusWrong: true, hasIcons: true }, name)
    t.same(seen.iconColors, seen.problemColors, name)
    if (index % 3 === 0) t.same((await runAxeInside(page)).found, [], name)
  }
})
