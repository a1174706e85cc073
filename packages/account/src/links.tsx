import { Form, LinkButton } from '@postern/pages'
import type { ReactElement } from 'react'

interface LinkProps {
  readonly label: string
  readonly href: string
}

const Link = ({ label, href }: LinkProps): ReactElement => (
  <a className="link" href={href}>
    {label}
  </a>
)

/** An entry of a list of links. */
export const LinkItem = (link: LinkProps): ReactElement => (
  <li>
    <Link {...link} />
  </li>
)

interface LinkFormProps {
  readonly action: string
  readonly csrfToken: string
  readonly label: string
}

/** An entry of a list of links that changes something, so that it is a form. */
export const LinkForm = ({ action, csrfToken, label }: LinkFormProps): ReactElement => (
  <li>
    <Form action={action} fields={{ csrfToken }}>
      <button type="submit" className="link">
        {label}
      </button>
    </Form>
  </li>
)

interface LinksProps {
  readonly links: readonly LinkProps[]
}

/** Links below a form, or below the next step. */
export const Links = ({ links }: LinksProps): ReactElement => (
  <ul className="links">
    {links.map((link) => (
      <LinkItem key={link.label} {...link} />
    ))}
  </ul>
)

interface NextStepProps extends LinkProps {
  readonly kind?: 'main' | 'plain'
}

/** The link to what is next, as a button. */
export const NextStep = (link: NextStepProps): ReactElement => (
  <div className="stack">
    <LinkButton {...link} />
  </div>
)

/** The links of a screen without a form: the first one is what to do next, and looks like a button. */
export function NextSteps({ links: [next, ...others] }: LinksProps): ReactElement {
  return (
    <>
      {next && <NextStep {...next} />}
      {others.length > 0 && <Links links={others} />}
    </>
  )
}

interface LastLinkProps {
  readonly label: string
  /** `null` shows nothing. */
  readonly href: string | null
}

/** A link below everything else, such as the way back. */
export function LastLink({ label, href }: LastLinkProps): ReactElement | null {
  if (href === null) return null
  return (
    <p className="after">
      <Link label={label} href={href} />
    </p>
  )
}
