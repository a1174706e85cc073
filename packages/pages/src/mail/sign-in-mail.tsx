import type { FeatureMailContent, PageContext } from '@postern/core'
import { createElement, type ReactElement, type ReactNode } from 'react'
import { getLogo } from '../parts/logo.tsx'
import { getScheme } from '../styles/scheme.ts'
import type { Texts } from '../texts/texts.ts'
import { darkMailRules, type MailStyles, mailStyles } from './mail-styles.ts'

/** The content of the mail. */
export interface MailContent {
  readonly subject: string
  readonly identifier: string
  readonly url: string | null
  readonly code: { readonly text: string; readonly label: string } | null
  readonly expiry: string
  readonly requested: string
}

interface MailProps {
  readonly content: MailContent
  readonly context: PageContext
  readonly texts: Texts
}

const schemes = { auto: 'light dark', dark: 'only dark', light: 'only light' } as const

interface MailLayoutProps extends Omit<MailProps, 'content'> {
  readonly subject: string
  readonly styles: MailStyles
  readonly children: ReactNode
}

/** The document of every mail: a card with the logo. */
function MailLayout({ subject, context, texts, styles, children }: MailLayoutProps): ReactElement {
  const { theme } = context
  const darkRules = darkMailRules(theme)
  return (
    <html lang={texts.lang} dir={texts.dir}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={schemes[getScheme(theme)]} />
        <title>{subject}</title>
        {darkRules && <style>{darkRules}</style>}
      </head>
      <body className="page" style={styles.page}>
        <Cell width="100%" maxWidth="480px" className="card" style={styles.card}>
          <MailLogo context={context} styles={styles} />
          {children}
        </Cell>
      </body>
    </html>
  )
}

/** The HTML part of the sign-in mail. */
export function SignInMailDocument({ content, context, texts }: MailProps): ReactElement {
  const { subject, identifier, url, code, expiry, requested } = content
  const { heading, identifier: signingInAs, submit, ignore } = texts.mail
  const styles = mailStyles(context.theme)
  return (
    <MailLayout subject={subject} context={context} texts={texts} styles={styles}>
      <h1 className="heading" style={styles.heading}>
        {heading(unlinked(context.siteName))}
      </h1>
      <p className="text" style={styles.text}>
        {signingInAs}
        <br />
        <strong>{unlinked(identifier)}</strong>
      </p>
      {url !== null && <LinkButton url={url} styles={styles} label={submit} />}
      {code && (
        <>
          <p className="text" style={{ ...styles.text, padding: '20px 0 0' }}>
            {code.label}
          </p>
          <Code text={code.text} styles={styles} />
        </>
      )}
      <p className="muted" style={styles.muted}>
        {expiry}
        <br />
        {requested}
        <br />
        {ignore}
      </p>
      {url !== null && <LinkText url={url} styles={styles} texts={texts} />}
    </MailLayout>
  )
}

interface FeatureMailProps extends Omit<MailProps, 'content'> {
  readonly content: FeatureMailContent
}

/** The HTML part of a mail of a feature. */
export function FeatureMailDocument({ content, context, texts }: FeatureMailProps): ReactElement {
  const { subject, paragraphs, code, button } = content
  const styles = mailStyles(context.theme)
  return (
    <MailLayout subject={subject} context={context} texts={texts} styles={styles}>
      <h1 className="heading" style={styles.heading}>
        {unlinked(subject)}
      </h1>
      {paragraphs.map((text) =>
        withoutIsolation(text) === code ? (
          <Code key={text} text={code} styles={styles} />
        ) : (
          <Paragraph key={text} text={text} styles={styles} />
        )
      )}
      {button && <LinkButton url={button.url} styles={styles} label={button.label} />}
      {button && <LinkText url={button.url} styles={styles} texts={texts} />}
    </MailLayout>
  )
}

/** Texts of right-to-left languages isolate the direction of what is filled in. */
const withoutIsolation = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '')

/** Prevents mail clients from linking hosts and addresses: only the sign-in link is clickable. */
function unlinked(text: string): string {
  return text.replaceAll(/\.(?=\S)/g, '\u200b.')
}

/** The logo, if it has a URL: mail clients do not show `data:` images. */
function MailLogo({
  context,
  styles
}: {
  readonly context: PageContext
  readonly styles: MailStyles
}): ReactElement | null {
  const logo = getLogo(context)
  if (logo === null || /^data:/i.test(logo)) return null
  const { href } = new URL(logo, context.origin)
  return <img className="logo" src={href} alt={context.siteName} height={40} loading="lazy" style={styles.logo} />
}

interface LinkButtonProps {
  readonly url: string
  readonly styles: MailStyles
  readonly label: string
}

function LinkButton({ url, styles, label }: LinkButtonProps): ReactElement {
  return (
    <div style={{ padding: '24px 0 0' }}>
      <Cell className="button" style={styles.button} width="100%">
        <a className="label" href={url} style={styles.label}>
          {label}
        </a>
      </Cell>
    </div>
  )
}

interface LinkTextProps {
  readonly url: string
  readonly styles: MailStyles
  readonly texts: Texts
}

/** For mail clients that break buttons. */
function LinkText({ url, styles, texts }: LinkTextProps): ReactElement {
  return (
    <p className="muted" style={styles.muted}>
      {texts.mail.link}
      <br />
      <a className="link" href={url} dir="ltr" style={styles.link}>
        {url}
      </a>
    </p>
  )
}

interface TextProps {
  readonly text: string
  readonly styles: MailStyles
}

/** The code in two halves, separated by padding: a copied code contains no space, and a hyphen stays at the first half. */
function Code({ text, styles }: TextProps): ReactElement {
  const middle = text.indexOf('-') + 1 || Math.ceil(text.length / 2)
  return (
    <p className="code" dir="ltr" style={{ ...styles.code, margin: '10px 0 0' }}>
      <span style={styles.half}>{text.slice(0, middle)}</span>
      <span style={styles.half}>{text.slice(middle)}</span>
    </p>
  )
}

const ipAddress = /(\b\d{1,3}(?:\.\d{1,3}){3}\b)/

/** A paragraph. An IP address stays on one line, in its own direction. */
function Paragraph({ text, styles }: TextProps): ReactElement {
  const parts = text
    .split(ipAddress)
    .map((part, index) =>
      index % 2 === 0
        ? unlinked(part)
        : createElement('span', { dir: 'ltr', style: { whiteSpace: 'nowrap' } }, unlinked(part))
    )
  return createElement('p', { className: 'text', style: styles.text }, ...parts)
}

interface CellProps {
  readonly className: string
  readonly style: MailStyles['card']
  readonly width?: string
  readonly maxWidth?: string
  readonly children: ReactNode
}

/** A table with one cell: the only box that every mail client renders. */
function Cell({ className, style, width, maxWidth, children }: CellProps): ReactElement {
  const margin = maxWidth ? { maxWidth, margin: '0 auto' } : {}
  return (
    <table
      role="presentation"
      align={maxWidth ? 'center' : undefined}
      width={width}
      cellPadding={0}
      cellSpacing={0}
      style={margin}
    >
      <tbody>
        <tr>
          <td className={className} style={style}>
            {children}
          </td>
        </tr>
      </tbody>
    </table>
  )
}
