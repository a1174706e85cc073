import { AuthError } from '../errors/auth-error.ts'
import { getLanguagePreference } from '../http/accept-language.ts'
import { deliverMail, limitMailTime, type MailDeps } from '../http/deliver-mail.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import type { AuthRequest } from '../http/request.ts'
import { isPlainEmailAddress } from '../model/email-address.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import type { PageContext } from '../model/page.ts'
import type { FeatureMailContent, Renderer } from '../model/renderer.ts'
import type { MailOptions, MailValues } from './feature.ts'

/** The texts of a mail in one language, with placeholders. */
export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly button: string | null
}

/** What the mails of features are sent with. */
export interface FeatureMailerDeps extends MailDeps {
  /** By the id of the feature and the name of the mail: `vault/opened`. */
  readonly mails: ReadonlyMap<string, ByLanguage<MailTexts>>
  /** Whose server or service sends them; `null` if no feature sends mails. */
  readonly provider: EmailProvider | null
  readonly renderer: Renderer
  /** The only origin; `null` if requests affect it. */
  readonly origin: string | null
  readonly createPageContext: (origin: string) => PageContext
}

/** The language of a mail, and what it needs of the request that caused it. */
type SendOptions = Pick<MailOptions, 'language'> & {
  readonly request?: Pick<AuthRequest, 'cookies' | 'headers' | 'origin'> | undefined
}

/** Sends a mail of a feature. @param id - `vault/opened` */
export type SendFeatureMail = (id: string, to: string, values: MailValues, options: SendOptions) => Promise<void>

const fill = (text: string, values: MailValues): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : whole))

function toContent({ subject, text, button }: MailTexts, values: MailValues): FeatureMailContent {
  const { url } = values
  return {
    // A line break would end the header.
    subject: fill(subject, values).replaceAll(/\s+/g, ' '),
    paragraphs: text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => fill(line, values)),
    button: button !== null && url !== undefined ? { label: fill(button, values), url } : null
  }
}

/** Only a link on the web may be a button. */
function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function toContents(mail: ByLanguage<MailTexts>, values: MailValues): ByLanguage<FeatureMailContent> {
  const all = Object.entries(mail).map(([language, texts]) => [language, toContent(texts, values)] as const)
  return { ...Object.fromEntries(all), en: toContent(mail.en, values) }
}

/** Creates the function that sends the mails of features. */
export function createFeatureMailer(deps: FeatureMailerDeps): SendFeatureMail {
  const { mails, provider, renderer, createPageContext } = deps
  return async (id, to, values, { language, request }) => {
    const mail = mails.get(id)
    const origin = request?.origin ?? deps.origin
    if (!mail || !provider) throw new TypeError(`features.${id}: there is no mail with this name`)
    if (origin === null) throw new TypeError(`features.${id}: expected the request, which has the origin of the mail`)
    if (!isPlainEmailAddress(to)) throw new TypeError(`features.${id}: expected a single email address`)
    if (values['url'] !== undefined && !isWebUrl(values['url']))
      throw new TypeError(`features.${id}: expected the value url to be an absolute URL`)
    const preference = language
      ? { languages: [language] }
      : request
        ? getLanguagePreference(request)
        : { languages: [] }
    await renderer.prepare?.(preference)
    const render = renderer.featureMail ?? plainRenderer.featureMail
    const pageContext = createPageContext(origin)
    const content = toContents(mail, { site: pageContext.siteName, ...values })
    const rendered = render(content, pageContext, preference)
    try {
      await limitMailTime(deliverMail(provider, { ...rendered, to, from: provider.from }, null, deps), deps)
    } catch (cause) {
      throw new AuthError('EmailSignin', `features.${id}: the mail could not be sent`, { cause })
    }
  }
}
