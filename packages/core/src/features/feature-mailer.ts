import { AuthError } from '../errors/auth-error.ts'
import type { GetMailLanguage } from '../hooks/mail-language.ts'
import { getLanguagePreference, toCanonicalTag } from '../http/accept-language.ts'
import type { MailTransport } from '../http/mail-transport.ts'
import { plainRenderer } from '../http/plain-renderer.ts'
import type { AuthRequest } from '../http/request.ts'
import { createByLanguage } from '../model/by-language.ts'
import { toDisplayText } from '../model/display-text.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import { isPlainEmailAddress } from '../model/normalize-email-address.ts'
import type { PageContext } from '../model/page.ts'
import type { FeatureMailContent, Renderer } from '../model/renderer.ts'
import type { MailOptions, MailValues } from './feature.ts'

/** The texts of a mail in one language, with placeholders. */
export interface MailTexts {
  readonly subject: string
  readonly text: string
  readonly button: string | null
  /** What replaces values that are empty. @defaultValue nothing */
  readonly emptyValues?: Readonly<Record<string, string>>
}

/** The pages that mails lead to. */
export interface MailSite {
  /** The only origin; `null` if requests affect it. */
  readonly origin: string | null
  readonly createPageContext: (origin: string) => PageContext
}

/** The language of a mail, and what it needs of the request that caused it. */
type SendOptions = Pick<MailOptions, 'language'> & {
  readonly request?: Pick<AuthRequest, 'cookies' | 'headers' | 'origin'> | undefined
}

/** Sends a mail of a feature. @param id - `vault/opened` */
export type SendFeatureMail = (
  id: string,
  to: string,
  values: MailValues,
  options: SendOptions & Pick<MailOptions, 'user'>
) => Promise<void>

/** A mail to send. */
export interface OutgoingMail {
  /** Who sends it, for error messages: `features.vault/opened`. */
  readonly caller: string
  readonly texts: ByLanguage<MailTexts>
  readonly to: string
  readonly values: MailValues
}

/** Sends a mail. */
export type SendMail = (mail: OutgoingMail, options: SendOptions) => Promise<void>

/** A format takes far longer to create than to use. Languages are those that mails have texts in. */
const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(language: string): Intl.DateTimeFormat {
  const known = formats.get(language)
  if (known) return known
  const format = new Intl.DateTimeFormat(toCanonicalTag(language) ?? 'en', {
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: 'UTC'
  })
  formats.set(language, format)
  return format
}

/** Writes a time as `January 31, 2030 at 14:05 UTC`. */
const formatTime = (time: Date, language: string): string => `${getFormat(language).format(time)} UTC`

/** A text that the language lacks is taken from the base language, otherwise from English. */
const pick = (text: ByLanguage<string>, language: string): string =>
  text[language] ?? text[language.split('-', 1)[0] ?? ''] ?? text.en

function toText(value: MailValues[string], language: string): string {
  if (typeof value === 'string') return value
  return value instanceof Date ? formatTime(value, language) : pick(value, language)
}

/** The values as text, in the language of a mail. */
const toTexts = (values: MailValues, language: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toText(value, language)]))

/** A line break in a value, such as a name, must not begin a paragraph that looks like one of the mail. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? toDisplayText(values[name] ?? '') : whole
  )

function toContent(
  { subject, text, button, emptyValues = {} }: MailTexts,
  given: Readonly<Record<string, string>>
): FeatureMailContent {
  const filled = Object.entries(emptyValues).filter(([name]) => given[name] === '')
  const values = { ...given, ...Object.fromEntries(filled) }
  const { code = null, url } = given
  return {
    // A line break would end the header.
    subject: fill(subject, values).replaceAll(/\s+/g, ' '),
    paragraphs: text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => fill(line, values)),
    code,
    button: button !== null && url !== undefined ? { label: fill(button, values), url } : null
  }
}

/**
 * Normalizes the link of the button: the text part shows it on a line of its own, which a line break must not end.
 *
 * @throws TypeError Only a link on the web may be a button.
 */
function withNormalizedUrl(values: MailValues, caller: string): MailValues {
  const { url } = values
  if (url === undefined) return values
  const { protocol, href } = URL.canParse(String(url)) ? new URL(String(url)) : { protocol: null, href: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`${caller}: expected the value url to be an absolute URL`)
  return { ...values, url: href }
}

function toContents(mail: ByLanguage<MailTexts>, values: MailValues): ByLanguage<FeatureMailContent> {
  const translate = (texts: MailTexts, language: string): FeatureMailContent =>
    toContent(texts, toTexts(values, language))
  return createByLanguage(Object.keys(mail), (language) => translate(mail[language] ?? mail.en, language))
}

/**
 * Creates the function that sends mails other than those that sign in.
 *
 * @param provider - Whose server or service sends them; `null` if the application has none.
 */
export function createMailer(
  provider: EmailProvider | null,
  transport: MailTransport,
  renderer: Renderer,
  site: MailSite
): SendMail {
  return async ({ caller, texts, to, values }, { language, request }) => {
    const origin = request?.origin ?? site.origin
    if (!provider)
      throw new TypeError(`${caller}: expected a mail server; pass mailer: email({ server, from }), or add email()`)
    if (origin === null) throw new TypeError(`${caller}: expected the request, which has the origin of the mail`)
    if (!isPlainEmailAddress(to)) throw new TypeError(`${caller}: expected a single email address`)
    const normalized = withNormalizedUrl(values, caller)
    const preference = language
      ? { languages: [language] }
      : request
        ? getLanguagePreference(request)
        : { languages: [] }
    await renderer.prepare?.(preference)
    const render = renderer.featureMail ?? plainRenderer.featureMail
    const pageContext = site.createPageContext(origin)
    const content = toContents(texts, { site: pageContext.siteName, ...normalized })
    const rendered = render(content, pageContext, preference)
    try {
      await transport.limitTime(transport.deliver(provider, { ...rendered, to, from: provider.from }, null))
    } catch (cause) {
      throw new AuthError('EmailSignin', `${caller}: the mail could not be sent`, { cause })
    }
  }
}

/**
 * Creates the function that sends the mails of features.
 *
 * @param mails - By the id of the feature and the name of the mail: `vault/opened`.
 */
export function createFeatureMailer(
  mails: ReadonlyMap<string, () => ByLanguage<MailTexts>>,
  { sendMail, getLanguage }: { readonly sendMail: SendMail; readonly getLanguage: GetMailLanguage | null }
): SendFeatureMail {
  return async (id, to, values, { user, ...options }) => {
    const translate = mails.get(id)
    if (!translate) throw new TypeError(`features.${id}: there is no mail with this name`)
    const language = options.language ?? (user && (await getLanguage?.(user))) ?? undefined
    await sendMail({ caller: `features.${id}`, texts: translate(), to, values }, { ...options, language })
  }
}
