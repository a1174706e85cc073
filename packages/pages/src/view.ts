import type { Frame, Page, PageName } from '@postern/core'
import { waitInWords } from './durations.ts'
import { safeLink } from './safe-link.ts'
import type { Texts } from './texts/texts.ts'

type PageOf<N extends PageName> = Extract<Page, { readonly name: N }>

/** The error screen, with the time to wait in words. */
interface ErrorView extends Omit<PageOf<'error'>, 'retryAfter'> {
  readonly wait: string | null
}

/**
 * A page as the screens show it: every link leads to the web, every code is one that has a text, and what is not
 * there is `null`.
 */
export type View = Exclude<Page, { readonly name: 'error' }> | ErrorView

export type ViewOf<N extends PageName> = Extract<View, { readonly name: N }>

/** What every screen is given. */
export interface ScreenProps<N extends PageName> {
  readonly view: ViewOf<N>
  readonly frame: Frame
  readonly texts: Texts
}

/** Makes a page ready to be shown. */
export function viewOf(page: Page, texts: Texts): View {
  switch (page.name) {
    case 'signin':
      return signInView(page, texts)
    case 'error':
      return errorView(page, texts)
    case 'signout':
      return { ...page, action: safeLink(page.action), callbackUrl: safeLink(page.callbackUrl) }
    case 'start-again':
    case 'confirm':
      return { ...page, action: safeLink(page.action) }
    case 'verify-request':
      return { ...page, code: page.code && { ...page.code, action: safeLink(page.code.action) } }
    case 'other-user': {
      const user = { name: page.user.name || null, email: page.user.email || null }
      return { ...page, user, action: safeLink(page.action), callbackUrl: safeLink(page.callbackUrl) }
    }
    case 'welcome':
      return { ...page, user: page.user || null, callbackUrl: safeLink(page.callbackUrl) }
  }
}

/** Whether sentences of the screen are made of a visitor's values. */
export function saysValues(view: View): boolean {
  if (view.name === 'signin' || view.name === 'verify-request') return view.ref !== null
  return view.name !== 'signout' && view.name !== 'confirm'
}

/** The code, where the application has explained it. */
const explained = (code: string | null | undefined, { codes }: Texts): string | null =>
  code && Object.hasOwn(codes, code) ? code : null

function signInView(page: PageOf<'signin'>, texts: Texts): ViewOf<'signin'> {
  const { problems, reasons } = texts
  const error = page.error !== null && !Object.hasOwn(problems, page.error) ? 'Default' : page.error
  const reason = page.reason !== null && Object.hasOwn(reasons, page.reason) ? page.reason : null
  return { ...page, error, ownCode: explained(page.ownCode, texts), reason }
}

function errorView({ name, error, ownCode, signInUrl, retryAfter, ref }: PageOf<'error'>, texts: Texts): ErrorView {
  return {
    name,
    error: Object.hasOwn(texts.errors, error) ? error : 'Default',
    ownCode: explained(ownCode, texts),
    signInUrl: safeLink(signInUrl),
    wait: retryAfter === null ? null : waitInWords(retryAfter, texts),
    ref
  }
}
