import type { ScreenCode } from '@postern/core'
import type { ReactElement } from 'react'
import type { Picture } from '../logos/pictures.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Heading } from '../parts/heading.tsx'
import { Reference } from '../parts/reference.tsx'
import { SupportLink } from '../parts/support-link.tsx'
import type { ScreenProps } from '../view.ts'

const pictures: { readonly [C in ScreenCode]: Picture } = {
  Configuration: 'warning',
  AccessDenied: 'warning',
  PermissionRequired: 'warning',
  Verification: 'clock',
  ImpersonationForbidden: 'warning',
  UserSuspended: 'warning',
  RateLimited: 'clock',
  StoreConflict: 'warning',
  UserReferenced: 'warning',
  StoreUnavailable: 'clock',
  NotFound: 'warning',
  Default: 'warning'
}

/** Explains why a sign-in failed, and links to a new one. */
export function ErrorScreen({
  view: { error, explanation, wait, signInUrl, ref },
  context,
  texts
}: ScreenProps<'error'>): ReactElement {
  const { heading, action, ...general } = texts.errors[error]
  const { text, next } = explanation ?? general
  const isSignedIn = error === 'PermissionRequired'
  return (
    <>
      <Heading text={heading} picture={pictures[error]} />
      <div role="alert">
        <p className="message">{text}</p>
        <p className="lead">{wait === null ? next : texts.wait(wait)}</p>
      </div>
      <div className="stack">
        {isSignedIn && <LinkButton label={texts.toSite(context.siteName)} href={context.siteUrl} />}
        <LinkButton label={action} href={signInUrl} kind={isSignedIn ? 'plain' : 'main'} />
      </div>
      <SupportLink context={context} texts={texts} />
      <Reference id={ref} texts={texts} />
    </>
  )
}
