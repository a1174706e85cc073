import type { ReactElement } from 'react'

/** The hidden field with the CSRF token, which every form that posts to a route of Postern requires. */
export function CsrfField({ csrfToken }: { readonly csrfToken: string }): ReactElement {
  return <input type="hidden" name="csrfToken" value={csrfToken} />
}
