import { client } from './client.ts'
import { callFeature, FeatureCallError } from './feature.ts'
import { navigate } from './navigate.ts'
import type { FieldProblem, PasswordOptions, PasswordResponse } from './password-types.ts'

/** A screen of passwords as data, or the URL that follows. */
interface Page {
  readonly url?: string
  readonly error?: string
  readonly screen?: string
  readonly texts?: Readonly<Record<string, string>>
  readonly props?: {
    readonly text: string
    readonly problem: string | null
    readonly form: {
      readonly fields: readonly { readonly name: FieldProblem['field']; readonly problem: string | null }[]
    } | null
  }
}

const refused = (error: string, more: Partial<PasswordResponse> = {}): PasswordResponse => ({
  ok: false,
  error,
  text: null,
  problems: [],
  url: null,
  ...more
})

/** The screens that a link or a code of no use leads to, and the one of a user without a verified address. */
const ends = ['gone', 'used', 'unavailable']

/** @returns `null` if the screen has no problem. */
function readProblem({ screen = '', props, texts = {} }: Page): PasswordResponse | null {
  const end = ends.find((name) => screen === `password/${name}`)
  if (end !== undefined) return refused(end, { text: texts[props?.text ?? ''] ?? null })
  const problems = (props?.form?.fields ?? []).flatMap(({ name, problem }) =>
    problem === null ? [] : [{ field: name, error: problem, text: texts[problem] ?? problem }]
  )
  const error = props?.problem ?? problems[0]?.error
  return error === undefined ? null : refused(error, { text: texts[error] ?? null, problems })
}

function toRefusal(error: unknown, { callbackUrl, redirect = true }: PasswordOptions): PasswordResponse {
  if (!(error instanceof FeatureCallError)) throw error
  const page: Page = Object(error.body)
  if (page.url === undefined) return readProblem(page) ?? refused(page.error ?? 'Default')
  const url = new URL(page.url, location.href)
  const code = url.searchParams.get('error')
  if (code !== null || error.status !== 401) return refused(code ?? 'Default', { url: url.href })
  url.searchParams.set('callbackUrl', callbackUrl ?? location.href)
  if (redirect) navigate(url.href)
  return refused('SessionRequired', { url: url.href })
}

/** Posts a form. @param isLeft - Whether the browser goes to the page that follows. */
async function post(
  path: string,
  body: object,
  options: PasswordOptions,
  isLeft: boolean = false
): Promise<PasswordResponse> {
  try {
    const page = await callFeature<Page>(path, { method: 'POST', body })
    if (page.url === undefined) return readProblem(page) ?? refused('Default')
    const code = new URL(page.url, location.href).searchParams.get('error')
    if (code !== null) return refused(code)
    if (isLeft && (options.redirect ?? true)) navigate(page.url)
    return { ok: true, error: null, text: null, problems: [], url: page.url }
  } catch (error) {
    return toRefusal(error, options)
  }
}

/**
 * Sends the mail that confirms the address of a new account, with `password()` of `@postern/account` on the server. The result is
 * the same if the address has an account, whose owner gets a mail that says so. `confirmSignUp` is next.
 *
 * @throws Error if a request failed.
 */
export const signUpWithPassword = (fields: { email: string; password: string }): Promise<PasswordResponse> =>
  post('password/sign-up', fields, {})

/**
 * Creates the account with the code of the mail, in the browser that asked for it, and signs in. The link of the mail does the same.
 *
 * @throws Error if a request failed.
 */
export async function confirmSignUp(
  { code }: { code: string },
  options: PasswordOptions = {}
): Promise<PasswordResponse> {
  const result = await post('callback/password-sign-up', { code }, options, true)
  if (result.ok) await client.getSession()
  return result
}

/**
 * Mails a link to choose a new password. The result does not show whether the address has an account.
 *
 * @throws Error if a request failed.
 */
export const requestPasswordReset = (fields: { email: string }): Promise<PasswordResponse> =>
  post('password/forgot', fields, {})

/**
 * Sets the password with the token of the mailed link. Nobody is signed in by it, and every session of the user ends.
 *
 * @throws Error if a request failed.
 */
export const resetPassword = (fields: { token: string; password: string }): Promise<PasswordResponse> =>
  post('password/reset', fields, {})

/**
 * Changes the password of the signed-in user, or sets the first one, and ends the other sessions.
 *
 * @throws Error if a request failed.
 */
export const changePassword = (
  fields: {
    /** Not needed for a first password. */
    currentPassword?: string | undefined
    password: string
  },
  options: PasswordOptions = {}
): Promise<PasswordResponse> => post('password', fields, options)
