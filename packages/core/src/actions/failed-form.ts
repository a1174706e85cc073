import type { Config } from '../config/config.ts'
import { noCookies } from '../cookies/set-cookies.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { SignInForm } from '../model/provider-traits.ts'

/** Longer texts are not kept, because a cookie must stay small. An email address has at most 254 characters. */
const maxLength = 320

/** @returns The name of the field with the username or address; `null` if there is none that may be shown again. */
function getIdentifierField(form: SignInForm): string | null {
  if (form.type !== 'credentials') return form.type === 'email' ? 'email' : null
  const field = form.fields.find(({ name }) => name === form.identifier)
  return field && !['password', 'hidden'].includes(field.type.toLowerCase()) ? field.name : null
}

/**
 * Keeps what the user typed into a form of the sign-in page that failed, for that page to show it again.
 *
 * @returns The cookie to set; nothing if the request is not such a form, or if Postern does not render its page.
 */
export async function keepFailedForm(
  request: AuthRequest,
  { pages, providers, signInFlash }: Config
): Promise<SetCookies> {
  const [, action, providerId = ''] = request.path.split('/')
  const provider = providers.get(providerId)
  if (request.method !== 'POST' || wantsJson(request) || pages.signIn || !provider) return noCookies
  const { form, startsAtCallback } = provider.traits
  if (form.type === 'oauth' || action !== (startsAtCallback ? 'callback' : 'signin')) return noCookies
  const field = getIdentifierField(form)
  const typed = field === null ? '' : (getText(request.body, field) ?? '')
  const identifier = typed.length > maxLength ? '' : typed
  return signInFlash.create({ kind: 'failed-form', providerId, identifier, ref: request.id })
}
