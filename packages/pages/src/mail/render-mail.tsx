import type { ByLanguage, FeatureMailContent, PageContext, RenderedMail, SignInMail } from '@postern/core'
import { formatLifetime } from '../durations.ts'
import { toMarkup } from '../render.tsx'
import { safeLink } from '../safe-link.ts'
import type { Texts } from '../texts/texts.ts'
import { inLanguage } from '../view.ts'
import { formatRequest } from './request-details.ts'
import { FeatureMailDocument, type MailContent, SignInMailDocument } from './sign-in-mail.tsx'

/** Renders the mail with the sign-in link, as plain text and HTML. */
export function renderMail(mail: SignInMail, context: PageContext, texts: Texts): RenderedMail {
  const { identifier, url, code, maxAge } = mail
  const content: MailContent = {
    subject: texts.mail.subject(context.siteName),
    identifier,
    url: url === null ? null : safeLink(url),
    code: code === null ? null : { text: code, label: url === null ? texts.mail.code : texts.mail.orCode },
    expiry: texts.mail.expiry(formatLifetime(maxAge, texts)),
    requested: texts.mail.requested(formatRequest(mail, texts))
  }
  return {
    subject: content.subject,
    text: plainText(content, texts),
    html: toMarkup(<SignInMailDocument content={content} context={context} texts={texts} />)
  }
}

/** Renders a mail of a feature, as plain text and HTML. */
export function renderFeatureMail(
  mail: ByLanguage<FeatureMailContent>,
  context: PageContext,
  texts: Texts
): RenderedMail {
  const content = inLanguage(mail, texts)
  const { subject, paragraphs, button } = content
  const lines = [...paragraphs, ...(button ? [button.url] : [])]
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: toMarkup(<FeatureMailDocument content={content} context={context} texts={texts} />)
  }
}

/** The link and the code are on their own lines, so that they can be clicked and copied. */
function plainText({ subject, url, code, expiry, requested }: MailContent, { mail }: Texts): string {
  const link = url === null ? [] : ['', url]
  const number = code === null ? [] : ['', code.label, '', code.text]
  return [subject, ...link, ...number, '', expiry, requested, mail.ignore, ''].join('\n')
}
