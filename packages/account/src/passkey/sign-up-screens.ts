import type { ActionResult, FeatureRequest, FeatureScreen, FeatureTexts, SetCookies } from '@postern/core/feature'
import { hiddenFields, toForm, toText } from '../plain-screen.ts'
import { toPlainFields } from '../sign-up-form/sign-up-fields.ts'
import { script } from './script.ts'
import { getHiddenFields, type SignUpForm, type SignUpProps } from './sign-up-props.ts'
import type { TextKey, Texts } from './texts.ts'

export type SignUpScreenName = 'sign-up' | 'check-mail' | 'confirm' | 'create' | 'gone' | 'used'

/** The keys of the titles. */
const titles: Readonly<Record<SignUpScreenName, TextKey>> = {
  'sign-up': 'createAccount',
  'check-mail': 'checkMail',
  confirm: 'confirm',
  create: 'createPasskey',
  gone: 'gone',
  used: 'used'
}

/** The screens on which a passkey is created. */
const withScript: readonly string[] = ['sign-up', 'create'] satisfies SignUpScreenName[]

function toPlainForm(form: SignUpForm, texts: Texts) {
  const { action, submit, field, ownFields = [] } = form
  const hidden = hiddenFields(getHiddenFields(form))
  const { name, value } = field ?? { name: 'code', value: '' }
  const shown = { name, label: texts[name], type: name === 'email' ? 'email' : 'text', value }
  const own = toPlainFields(ownFields, texts)
  return toForm(action, texts[submit], field ? [...hidden, shown, ...own] : [...hidden, ...own])
}

const toScreen = (name: string, title: TextKey): FeatureScreen<SignUpProps, TextKey> => ({
  name,
  title,
  ...(withScript.includes(name) && { script }),
  component: async () => (await import('./sign-up-screen.tsx')).SignUpScreen,
  plain: ({ text, email, form, problem, link }, texts) => {
    const problems = [problem, form?.field?.problem].flatMap((key) => key ?? [])
    const needed = form?.options ? [texts.needsScript] : []
    return {
      text: toText(...problems.map((key) => texts[key]), texts[text], ...needed, email),
      links: link ? [{ label: texts[link.text], href: link.href }] : [],
      ...(form && toPlainForm(form, texts))
    }
  }
})

export const signUpScreens: readonly FeatureScreen<SignUpProps, TextKey>[] = Object.entries(titles).map(
  ([name, title]) => toScreen(name, title)
)

/** What a screen shows; missing values are empty. */
interface Shown extends Partial<Omit<SignUpProps, 'title' | 'text'>> {
  readonly text: TextKey
  readonly cookies?: SetCookies
  /** The texts of fields of the application. */
  readonly texts?: FeatureTexts | undefined
}

/** Shows a screen of the sign-up. One with a problem has the status 400. */
export function showSignUpScreen(
  request: FeatureRequest,
  name: SignUpScreenName,
  { cookies = new Map(), texts, text, email = null, form = null, problem = null, link = null }: Shown
): Promise<ActionResult> {
  const fields = [...(form?.field ? [form.field] : []), ...(form?.ownFields ?? [])]
  const isRefused = name === 'gone' || problem !== null || fields.some((field) => field.problem !== null)
  const props: SignUpProps = { title: titles[name], text, email, form, problem, link }
  return request.screen(name, props, { status: isRefused ? 400 : 200, texts, cookies })
}

/** A link that has signed up. */
export async function showUsed(request: FeatureRequest): Promise<ActionResult> {
  const { origin, basePath } = request
  const link = (await request.getUser())
    ? ({ text: 'continue', href: origin } as const)
    : ({ text: 'toSignIn', href: `${basePath}/signin` } as const)
  return showSignUpScreen(request, 'used', { text: 'usedText', link })
}

/** A link that was ended, has expired or never existed: nothing tells which. */
export function showGone(request: FeatureRequest): Promise<ActionResult> {
  const link = { text: 'startAgain', href: `${request.basePath}/passkey/sign-up` } as const
  return showSignUpScreen(request, 'gone', { text: 'goneText', link })
}
