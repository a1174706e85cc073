import { Heading, Identity, Row, Rows } from '@postern/pages'
import type { ReactElement } from 'react'
import { LastLink } from '../../links.tsx'
import { KeepAccount } from '../deletion/keep-account.tsx'
import { WaitingEmail } from '../email/waiting-email.tsx'
import type { ScreenProps } from '../texts.ts'
import type { AccountProps, ListedSection } from './props.ts'

type Texts = Readonly<Record<string, string>>

/** The line below the title of a section. One of the application may have another direction than the page. */
function getLine({ summary }: ListedSection, texts: Texts): ReactElement | null {
  if (summary === null) return null
  const line = (texts[summary.text] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(summary.values, name) ? (summary.values[name] ?? '') : whole
  )
  return line === '' ? null : <bdi>{line}</bdi>
}

interface SectionsProps {
  readonly label: string
  readonly sections: readonly ListedSection[]
  readonly texts: Texts
}

function Sections({ label, sections, texts }: SectionsProps): ReactElement {
  return (
    <Rows label={label}>
      {sections.map((section) => (
        <Row
          key={section.id}
          title={texts[section.id] ?? section.id}
          href={section.href}
          isWarning={section.isWarning}
          detail={getLine(section, texts)}
        />
      ))}
    </Rows>
  )
}

/** Shows the signed-in user, the sections of all features, and the link to sign out. */
export function OverviewScreen({ props, texts, csrfToken }: ScreenProps<AccountProps>): ReactElement {
  const { name, email, sections, deletion, emailChange, siteName, siteUrl, signOutUrl } = props
  const who = name || email
  const destructive = sections.filter(({ isDestructive }) => isDestructive)
  const others = sections.filter(({ isDestructive }) => !isDestructive)
  return (
    <>
      <Heading text={texts.title} />
      {deletion && <KeepAccount deletion={deletion} texts={texts} csrfToken={csrfToken} />}
      {emailChange && <WaitingEmail waiting={emailChange} texts={texts} csrfToken={csrfToken} />}
      {who && (
        <>
          <p className="lead">{texts.signedInAs}</p>
          <Identity name={who} detail={name ? email : null} />
        </>
      )}
      {others.length > 0 && <Sections label={texts.settings} sections={others} texts={texts} />}
      {destructive.length > 0 && (
        <div className="danger">
          <Sections label={texts.deletion} sections={destructive} texts={texts} />
        </div>
      )}
      <LastLink label={texts.backToSite.replace('{site}', siteName)} href={siteUrl} />
      <LastLink label={texts.signOut} href={signOutUrl} />
    </>
  )
}
