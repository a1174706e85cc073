import type { ActionResult, FeatureRequest, FeatureScreen, FeatureTexts, SetCookies } from '@postern/core/feature'
import { hiddenFields, toForm, toText } from '../plain-screen.ts'
import { toPlainFields } from '../sign-up-form/sign-up-fields.ts'
import type { FormField, FormProps } from './form-props.ts'
import type { PasswordSetup } from './password-setup.ts'
import { strengthScript } from './strength.ts'
import type { TextKey } from './texts.ts'

export type ScreenName =
  | ('sign-up' | 'check-mail' | 'confirm' | 'choose')
  | ('forgot' | 'reset' | 'change' | 'set' | 'unavailable' | 'changed' | 'gone' | 'used')

/** The keys of the titles. */
const titles: Readonly<Record<ScreenName, TextKey>> = {
  'sign-up': 'createAccount',
  'check-mail': 'checkMail',
  confirm: 'confirm',
  choose: 'choose',
  forgot: 'forgot',
  reset: 'reset',
  change: 'change',
  set: 'set',
  unavailable: 'unavailable',
  changed: 'changed',
  gone: 'gone',
  used: 'used'
}

const inputTypes = { email: 'email', password: 'password', currentPassword: 'password', code: 'text' } as const

/** The screens with a new password. */
const withStrength: readonly string[] = ['sign-up', 'choose', 'reset', 'change', 'set'] satisfies ScreenName[]

/** The screens of the account pages: they are as wide as the other sections. */
const sections: readonly string[] = ['change', 'set'] satisfies ScreenName[]

const toScreen = (name: string, title: TextKey): FeatureScreen<FormProps, TextKey> => ({
  name,
  title,
  ...(sections.includes(name) && { width: 'wide' }),
  ...(withStrength.includes(name) && { script: strengthScript }),
  component: async () => (await import('./form-screen.tsx')).FormScreen,
  plain: ({ text, email, form, problem, links }, texts) => {
    const problems = [problem, ...(form?.fields ?? []).map((field) => field.problem)].flatMap((key) => key ?? [])
    return {
      text: toText(...problems.map((key) => texts[key]), texts[text], email),
      links: links.map((link) => ({ label: texts[link.text], href: link.href })),
      ...(form &&
        toForm(form.action, texts[form.submit], [
          ...hiddenFields(form.values),
          ...form.fields.map(({ name, label, value }) => ({
            name,
            label: texts[label],
            type: inputTypes[name],
            value
          })),
          ...toPlainFields(form.ownFields ?? [], texts)
        ]))
    }
  }
})

export const screens: readonly FeatureScreen<FormProps, TextKey>[] = Object.entries(titles).map(([name, title]) =>
  toScreen(name, title)
)

/** What a screen shows; missing values are empty. */
export interface Shown extends Partial<Omit<FormProps, 'title' | 'text'>> {
  readonly text: TextKey
  readonly status?: number
  readonly cookies?: SetCookies
  /** The texts of fields of the application. */
  readonly texts?: FeatureTexts | undefined
}

/** Shows a screen. One with a problem has the status 400. */
export function show(
  request: FeatureRequest,
  name: ScreenName,
  { status, cookies, texts, ...shown }: Shown
): Promise<ActionResult> {
  const { text, email = null, form = null, problem = null, links = [] } = shown
  const fields = [...(form?.fields ?? []), ...(form?.ownFields ?? [])]
  const isRefused = problem !== null || fields.some((field) => field.problem !== null)
  const props: FormProps = { title: titles[name], text, email, form, problem, links }
  return request.screen(name, props, { status: status ?? (isRefused ? 400 : 200), texts, ...(cookies && { cookies }) })
}

/** A link that was ended, has expired or never existed: nothing tells which. */
export function showGone(
  request: FeatureRequest,
  path: '/password/sign-up' | '/password/forgot'
): Promise<ActionResult> {
  const links = [{ text: 'startAgain', href: request.basePath + path }] as const
  return show(request, 'gone', { text: 'goneText', links, status: 400 })
}

const plain = { value: '', hint: null, minLength: null } as const

/** Says what is done, and where the user continues. */
export async function showDone(request: FeatureRequest, name: 'changed' | 'used'): Promise<ActionResult> {
  const { siteUrl, basePath } = request
  const isSignedIn = (await request.getUser()) !== null
  const text = isSignedIn ? 'toSite' : 'signIn'
  const href = isSignedIn ? siteUrl : `${basePath}/signin`
  return show(request, name, { text: `${name}Text`, links: [{ text, href }] })
}

export function emailField(value: string, problem: TextKey | null): FormField {
  return { ...plain, name: 'email', label: 'email', value, autocomplete: 'username', problem }
}

export function newPasswordField(
  label: 'password' | 'newPassword',
  problem: TextKey | null,
  { policy: { minLength } }: PasswordSetup
): FormField {
  const hint = 'passwordHint'
  return { name: 'password', label, value: '', autocomplete: 'new-password', problem, hint, minLength }
}

export function currentPasswordField(problem: TextKey | null): FormField {
  const label = 'currentPassword'
  return { ...plain, name: label, label, autocomplete: 'current-password', problem }
}

export function codeField(value: string, problem: TextKey | null): FormField {
  return { ...plain, name: 'code', label: 'code', value, autocomplete: 'one-time-code', problem }
}
