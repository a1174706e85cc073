import type {
  BuiltInPage,
  ByLanguage,
  FailedForm,
  PageContext,
  PageName,
  SignInOption,
  StepUpForms
} from '@postern/core'
import { formatWait } from './durations.ts'
import { safeLink } from './safe-link.ts'
import type { Explanation, Texts } from './texts/texts.ts'

type PageOf<N extends PageName> = Extract<BuiltInPage, { readonly name: N }>

/** The sign-in screen, with the texts of features in the language of the page. */
interface SignInView
  extends Omit<PageOf<'signin'>, 'ownCode' | 'explanation' | 'links' | 'scripts' | 'failedForm' | 'stepUp' | 'user'> {
  readonly stepUp: Required<StepUpForms> | null
  /** The user who is signed in. */
  readonly user: { readonly name: string | null; readonly email: string | null } | null
  readonly explanation: Explanation | null
  readonly failedForm: FailedForm | null
  /** The links of features, such as "Create account". */
  readonly links: readonly { readonly href: string; readonly label: string }[]
  /** The names of the scripts of features. */
  readonly scripts: readonly string[]
}

/** The screen after a mail was sent, with its forms. */
interface VerifyRequestView extends Omit<PageOf<'verify-request'>, 'resend'> {
  readonly resend: { readonly action: string; readonly csrfToken: string } | null
}

/** The error screen, with the waiting time as text. */
interface ErrorView extends Omit<PageOf<'error'>, 'retryAfter' | 'ownCode' | 'explanation'> {
  readonly explanation: Explanation | null
  readonly wait: string | null
}

/** A page as the screens show it: every link is http(s), every code has a text, and missing values are `null`. */
export type View =
  | Exclude<BuiltInPage, { readonly name: 'signin' | 'verify-request' | 'error' }>
  | SignInView
  | VerifyRequestView
  | ErrorView

/** The view of one screen. */
export type ViewOf<N extends PageName> = Extract<View, { readonly name: N }>

/** The props of every screen. */
export interface ScreenProps<N extends PageName> {
  readonly view: ViewOf<N>
  readonly context: PageContext
  readonly texts: Texts
}

/** The props of a feature's screen, as those of `FeatureScreen`. */
export interface FeatureScreenProps<
  Props extends object = Readonly<Record<string, unknown>>,
  Key extends string = string
> {
  /** The values of the request. */
  readonly props: Props
  /** The feature's texts in the language of the page; English ones where the language has none. */
  readonly texts: Readonly<Record<Key, string>>
  readonly csrfToken: string
  readonly context: PageContext
}

/** Converts a page to a view. */
export function getView(page: BuiltInPage, texts: Texts): View {
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
      return verifyRequestView(page)
    case 'other-user': {
      return {
        ...page,
        user: nullIfEmpty(page.user),
        action: safeLink(page.action),
        callbackUrl: safeLink(page.callbackUrl)
      }
    }
    case 'confirm-link':
      return {
        ...page,
        user: nullIfEmpty(page.user),
        account: page.account && nullIfEmpty(page.account),
        action: safeLink(page.action),
        callbackUrl: safeLink(page.callbackUrl)
      }
    case 'used-link':
      return { ...page, user: nullIfEmpty(page.user), callbackUrl: safeLink(page.callbackUrl) }
    case 'welcome':
      return { ...page, user: page.user || null, callbackUrl: safeLink(page.callbackUrl) }
  }
}

type Person = ViewOf<'confirm-link'>['user']

const nullIfEmpty = ({ name, email }: Person): Person => ({ name: name || null, email: email || null })

/** Whether sentences of the screen contain values of the request. */
export function mentionsValues(view: View): boolean {
  if (view.name === 'signin' || view.name === 'verify-request') return view.ref !== null
  return view.name !== 'signout' && view.name !== 'confirm' && view.name !== 'used-link'
}

/** @returns The value in the language of the texts, or of its base language; otherwise in English. */
export function inLanguage<T>(values: ByLanguage<T>, { lang }: Pick<Texts, 'lang'>): T {
  return values[lang] ?? values[lang.split('-', 1)[0] ?? ''] ?? values.en
}

/** The explanation of a code that is not built in: the application's, otherwise the feature's. */
function getExplanation(
  { ownCode, explanation }: Pick<PageOf<'signin' | 'error'>, 'ownCode' | 'explanation'>,
  texts: Texts
): Explanation | null {
  if (ownCode && Object.hasOwn(texts.codes, ownCode)) return texts.codes[ownCode] ?? null
  return explanation ? inLanguage(explanation, texts) : null
}

const localized = new WeakMap<readonly SignInOption[], Map<Texts, readonly SignInOption[]>>()

function inTexts(option: SignInOption, texts: Texts): SignInOption {
  if (!option.texts) return option
  const { name, submit, labels } = inLanguage(option.texts, texts)
  if (option.type !== 'credentials') return { ...option, name, submit }
  const fields = option.fields.map((field) => ({ ...field, label: labels[field.name] ?? field.label }))
  return { ...option, name, submit, fields }
}

/** @returns The options in the language of the texts; the same array for the same language, as it is a cache key. */
function localizeChoices(choices: readonly SignInOption[], texts: Texts): readonly SignInOption[] {
  if (!choices.some((option) => option.texts)) return choices
  const byTexts = localized.get(choices) ?? new Map<Texts, readonly SignInOption[]>()
  const known = byTexts.get(texts) ?? choices.map((option) => inTexts(option, texts))
  localized.set(choices, byTexts.set(texts, known))
  return known
}

function signInView(page: PageOf<'signin'>, texts: Texts): SignInView {
  const { name, csrfToken, callbackUrl, ref, scripts = [] } = page
  const links = (page.links ?? []).map(({ href, text }) => ({ href: safeLink(href), label: inLanguage(text, texts) }))
  const choices = localizeChoices(page.choices, texts)
  const { problems, reasons } = texts
  const error = page.error !== null && !Object.hasOwn(problems, page.error) ? 'Default' : page.error
  const reason = page.reason !== null && Object.hasOwn(reasons, page.reason) ? page.reason : null
  const explanation = getExplanation(page, texts)
  const isShown = error !== null && choices.some(({ id }) => id === page.failedForm?.providerId)
  const failedForm = isShown ? (page.failedForm ?? null) : null
  const user = page.user?.name || page.user?.email ? nullIfEmpty(page.user) : null
  const { mustRepeat = false, mail = null } = page.stepUp ?? {}
  const stepUp = page.stepUp ? { mustRepeat, mail: mail && { ...mail, action: safeLink(mail.action) } } : null
  const content = { name, user, stepUp, csrfToken, callbackUrl, choices, links, scripts }
  return { ...content, error, explanation, reason, failedForm, ref }
}

function verifyRequestView(page: PageOf<'verify-request'>): VerifyRequestView {
  const { code, resend = null, identifier } = page
  return {
    ...page,
    code: code && { ...code, action: safeLink(code.action) },
    resend: resend && identifier !== null ? { ...resend, action: safeLink(resend.action) } : null
  }
}

function errorView(page: PageOf<'error'>, texts: Texts): ErrorView {
  const { name, error, signInUrl, retryAfter, ref } = page
  return {
    name,
    error: Object.hasOwn(texts.errors, error) ? error : 'Default',
    explanation: getExplanation(page, texts),
    signInUrl: safeLink(signInUrl),
    wait: retryAfter === null ? null : formatWait(retryAfter, texts),
    ref
  }
}
