import type { ReactElement } from 'react'

/** Explains why the authenticator did not respond. The script shows it. */
export function Failure({ text }: { readonly text: string }): ReactElement {
  return (
    <div className="notice notice-problem" role="alert" hidden={true} data-passkey-failure={true}>
      <p>{text}</p>
    </div>
  )
}
