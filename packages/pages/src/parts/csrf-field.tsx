import type { ReactElement } from 'react'

/** The hidden field that shows a form to be ours; every form that posts to a route of Postern needs it. */
export function CsrfField({ csrfToken }: { readonly csrfToken: string }): ReactElement {
  return <input type="hidden" name="csrfToken" value={csrfToken} />
}
