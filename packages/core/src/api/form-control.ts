import type { Config } from '../config/config.ts'
import { isOwnForm, logRefusedForm } from '../csrf/own-form.ts'
import type { AuthRequest } from '../http/request.ts'
import type { SetCookies } from '../model/cookie.ts'
import type { SessionRequest } from '../sessions/session-directory.ts'
import { requireConfig } from './sign-in-control.ts'

/** The CSRF tokens of the application's own forms: the ones that Postern's forms have. */
export interface FormControl {
  /**
   * Returns the token of the browser, for the field `csrfToken` or the header `x-csrf-token`, and the cookie to set if the
   * browser had none. It changes when a user signs in.
   */
  csrfToken(request: SessionRequest): Promise<{ readonly token: string; readonly cookies: SetCookies }>
  /** Whether a request has the token of its browser, and comes from the application or one of `allowedOrigins`. */
  hasCsrfToken(request: AuthRequest): Promise<boolean>
}

/** Creates the {@link FormControl} of an instance. */
export function formControl(configFor: (origin: string) => Config | null): FormControl {
  return {
    csrfToken: async (request) => requireConfig('csrfToken', request, configFor).csrf.readOrIssue(request.cookies),
    hasCsrfToken: async (request) => {
      const config = configFor(request.origin)
      if (config === null) return false
      const isOwn = await isOwnForm(request, config)
      if (!isOwn) logRefusedForm(request, config)
      return isOwn
    }
  }
}
