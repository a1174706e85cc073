import type { FeatureScreenProps } from '@postern/pages'
import { Heading, Identity, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'
import type { AccountProps } from './account-props.ts'

/** Shows the signed-in user, the sections of all features, and the link to sign out. */
export function AccountScreen({ props, texts }: FeatureScreenProps<AccountProps>): ReactElement {
  const { name, email, sections, signOutUrl } = props
  const who = name ?? email
  return (
    <>
      <Heading text={texts['title'] ?? ''} />
      {who !== null && (
        <>
          <p className="lead">{texts['signedIn']}</p>
          <Identity name={who} detail={name === null ? null : email} />
        </>
      )}
      {sections.length > 0 && (
        <nav className="stack" aria-label={texts['sections']}>
          {sections.map(({ id, href }) => (
            <LinkButton key={id} label={texts[id] ?? id} href={href} kind="plain" />
          ))}
        </nav>
      )}
      <p className="after">
        <a className="link" href={signOutUrl}>
          {texts['signOut']}
        </a>
      </p>
    </>
  )
}
