import type { Config } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { ActionResult } from '../http/action-result.ts'
import { getText } from '../http/body.ts'
import { type AuthRequest, wantsJson } from '../http/request.ts'
import type { FailedForm, SignInOption } from '../model/page.ts'
import { signInPage } from './screens.ts'

/** The address of the form, in the form of another method that asks for one. */
function moveAddress(
  { body }: Pick<AuthRequest, 'body'>,
  limited: SignInOption,
  others: readonly SignInOption[]
): FailedForm | null {
  const email = others.find(({ type }) => type === 'email')
  const identifier = limited.type === 'credentials' ? getText(body, limited.identifier ?? '') : null
  return email && identifier?.includes('@') ? { providerId: email.id, identifier: identifier.slice(0, 320) } : null
}

/**
 * Shows the ways that are left if a form of the sign-in page is refused for a while.
 *
 * @returns `null` if the request is not such a form, or if no way is left.
 */
export async function showOtherWays(
  error: unknown,
  request: AuthRequest,
  config: Config
): Promise<ActionResult | null> {
  if (!(error instanceof AuthError) || error.code !== 'RateLimited') return null
  if (request.method !== 'POST' || wantsJson(request) || config.pages.signIn || config.pages.error) return null
  const [, action, id] = request.path.split('/')
  const limited = action === 'callback' ? config.signInOptions.find((option) => option.id === id) : undefined
  const choices = config.signInOptions.filter((option) => option !== limited)
  if (limited?.type !== 'credentials' || choices.length === 0) return null
  const { retryAfter } = error
  const stepUp = await config.stepUps.read(request.cookies).catch(() => null)
  const shown = await signInPage({ ...request, query: {} }, stepUp, config, {
    choices,
    error: 'RateLimited',
    retryAfter,
    signOutUrl: null,
    identifierFirst: null,
    ref: request.id,
    failedForm: moveAddress(request, limited, choices)
  })
  if (shown.kind !== 'page' || shown.page.name !== 'signin') return null
  if (shown.page.choices.length === 0 && !shown.page.stepUp?.mail) return null
  return { ...shown, status: error.entry.status, ...(retryAfter === null ? {} : { retryAfter }) }
}
