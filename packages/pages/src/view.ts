import type {
  BuiltInPage,
  ByLanguage,
  FailedForm,
  IdentifierFirst,
  PageContext,
  PageName,
  SignInLinkPurpose,
  SignInOption,
  StepUpForms
} from '@postern/core'
import { formatWait } from './durations.ts'
import { safeLink } from './safe-link.ts'
import type { Explanation, Texts } from './texts/texts.ts'

type PageOf<N extends PageName> = Extract<BuiltInPage, { readonly name: N }>

/** The sign-in screen, with the texts of features in the language of the page. */
interface SignInView
  extends Omit<
    PageOf<'signin'>,
    | 'ownCode'
    | 'explanation'
    | 'identifierFirst'
    | 'lastUsed'
    | 'links'
    | 'retryAfter'
    | 'scripts'
    | 'failedForm'
    | 'signOutUrl'
    | 'stepUp'
    | 'user'
  > {
  readonly stepUp: {
    readonly mustRepeat: boolean
    readonly mail: NonNullable<StepUpForms['mail']> | null
    readonly backUrl: string
  } | null
  /** The user who is signed in. */
  readonly user: { readonly name: string | null; readonly email: string | null } | null
  /** The URL of the form that signs out and returns, if the user can continue at `callbackUrl`. */
  readonly signOutUrl: string | null
  /** The id of the option that this browser signed in with last. */
  readonly lastUsed: string | null
  readonly identifierFirst: IdentifierFirst | null
  /** How long to wait until a retry is useful, such as `5 minutes`. */
  readonly wait: string | null
  readonly explanation: Explanation | null
  readonly failedForm: FailedForm | null
  /** The links of features, such as "Create account". */
  readonly links: readonly {
    readonly href: string
    readonly label: string
    readonly purpose: SignInLinkPurpose
    /** The ids of the methods that it belongs to. */
    readonly methods: readonly string[]
  }[]
  /** The names of the scripts of features. */
  readonly scripts: readonly string[]
}

/** The screen after a mail was sent, with its forms. */
interface VerifyRequestView extends Omit<PageOf<'verify-request'>, 'code' | 'isSpent' | 'resend'> {
  readonly code: (NonNullable<PageOf<'verify-request'>['code']> & { readonly triesLeft: number | null }) | null
  readonly isSpent: boolean
  /** `address` is that of `identifier`, shortened. */
  readonly resend: { readonly action: string; readonly csrfToken: string; readonly address: string } | null
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
  if (view.name === 'signin')
    return view.ref !== null || view.stepUp !== null || (view.signOutUrl !== null && view.user !== null)
  if (view.name === 'verify-request') return view.ref !== null || view.isSpent
  return view.name !== 'signout' && view.name !== 'confirm' && view.name !== 'used-link'
}

/** @returns The value in the language of the texts, or of its base language; otherwise in English. */
export function inLanguage<T>(values: ByLanguage<T>, { lang, variant = lang }: Pick<Texts, 'lang' | 'variant'>): T {
  return values[variant] ?? values[lang.split('-', 1)[0] ?? ''] ?? values.en
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
  const links = (page.links ?? []).map(({ href, text, purpose = null, methods = [] }) => ({
    href: safeLink(href),
    label: inLanguage(text, texts),
    purpose,
    methods
  }))
  const choices = localizeChoices(page.choices, texts)
  const { problems, reasons } = texts
  const isKnown = page.error === null || page.error === 'RateLimited' || Object.hasOwn(problems, page.error)
  const error = isKnown ? page.error : 'Default'
  const reason = page.reason !== null && Object.hasOwn(reasons, page.reason) ? page.reason : null
  const explanation = getExplanation(page, texts)
  const isShown = error !== null && choices.some(({ id }) => id === page.failedForm?.providerId)
  const failedForm = isShown ? (page.failedForm ?? null) : null
  const user = page.user?.name || page.user?.email ? nullIfEmpty(page.user) : null
  const stepUp = page.stepUp ? stepUpView(page.stepUp, callbackUrl) : null
  const { retryAfter = null, identifierFirst = null } = page
  return {
    name,
    user,
    stepUp,
    csrfToken,
    callbackUrl,
    choices,
    links,
    scripts,
    signOutUrl: page.signOutUrl ? safeLink(page.signOutUrl) : null,
    lastUsed: choices.find(({ id }) => id === page.lastUsed)?.id ?? null,
    identifierFirst: identifierFirst && { ...identifierFirst, action: safeLink(identifierFirst.action) },
    wait: retryAfter === null ? null : formatWait(retryAfter, texts),
    error,
    explanation,
    reason,
    failedForm,
    ref
  }
}

function stepUpView(
  { mustRepeat, mail = null, backUrl }: StepUpForms,
  callbackUrl: string
): NonNullable<SignInView['stepUp']> {
  const safeMail = mail && { ...mail, action: safeLink(mail.action) }
  return { mustRepeat, mail: safeMail, backUrl: safeLink(backUrl ?? callbackUrl) }
}

function verifyRequestView(page: PageOf<'verify-request'>): VerifyRequestView {
  const { code, resend = null, identifier, isSpent = false } = page
  return {
    ...page,
    code: code && { ...code, action: safeLink(code.action), triesLeft: code.triesLeft ?? null },
    resend:
      resend && identifier !== null
        ? { ...resend, action: safeLink(resend.action), address: shorten(identifier) }
        : null,
    isSpent: isSpent && resend !== null && identifier !== null
  }
}

/** An address with the first character of its name: enough for its owner to recognize it. */
function shorten(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? address : `${Array.from(address)[0]}…${address.slice(at)}`
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
