import { assertShape } from '../config/assert-arguments.ts'
import type { Config, Services } from '../config/config.ts'
import { AuthError } from '../errors/auth-error.ts'
import type { MailTexts } from '../features/feature-mailer.ts'
import type { AuthRequest } from '../http/request.ts'
import type { ByLanguage } from '../model/feature-page.ts'
import { isJsonObject } from '../model/json-object.ts'
import { hasInternationalLocalPart, normalizeEmailAddress } from '../model/normalize-email-address.ts'
import type { Shape } from '../schema/schema.ts'
import { getRateLimitAddress } from '../sign-in-methods/rate-limit-identifier.ts'
import { mailLimits } from '../sign-in-methods/rate-limits.ts'
import { requireConfig } from './sign-in-control.ts'

/** The texts of a mail in one language. `{name}` is replaced by the value of that name, `{site}` by the name of the site. */
export interface MailTemplateTexts {
  readonly subject: string
  /** Each line is a paragraph. */
  readonly text: string
  /** The label of the button, which leads to the value `url`. @defaultValue no button */
  readonly button?: string | undefined
}

/** A mail of the application, by language. English is required, and is used where a language is missing. */
export interface MailTemplate extends ByLanguage<MailTemplateTexts> {}

/** The names in braces. */
type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never

type TextsOf<T extends MailTemplate> = T[keyof T & string]

/** The values of a template: one for each name in braces, and `url` for the button. */
export type TemplateValues<T extends MailTemplate> = Readonly<Record<string, string>> & {
  readonly [Name in
    | Exclude<Placeholder<TextsOf<T>['subject'] | TextsOf<T>['text'] | TextsOf<T>['button']>, 'site'>
    | (TextsOf<T> extends { readonly button: string } ? 'url' : never)]: string
}

export interface SendMailOptions<T extends MailTemplate = MailTemplate, Request = AuthRequest> {
  /** A single email address. */
  readonly to: string
  /** Texts, which are escaped. A line break becomes a space. */
  readonly values?: TemplateValues<T> | undefined
  /** A BCP 47 tag. @defaultValue the language of the request, otherwise the first one */
  readonly language?: string | undefined
  /** The request that caused the mail. Required if the application has several origins. */
  readonly request?: Request | undefined
  /**
   * Whether the mail is limited, together with those of sign-in by email: by address, and by the client of the request. Set
   * it to `false` for notices. @defaultValue `true` if there is a request
   */
  readonly limit?: boolean | undefined
}

export interface MailControl {
  /**
   * Sends a mail of the application in the layout of Postern's mails, by the option `mailer` or the provider for email.
   *
   * @throws AuthError `EmailSignin` if the address is invalid, or if the mail could not be sent within
   * `constants.mailTimeoutMilliseconds`; `RateLimited` with the cookies to set. TypeError if a text, a value or the mail
   * server is missing
   */
  sendMail<const T extends MailTemplate>(template: T, options: SendMailOptions<T>): Promise<void>
}

const shape: Shape = { to: 'string', values: 'object', language: 'string', request: 'object', limit: 'boolean' }

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

function parseTexts(language: string, given: unknown): MailTexts {
  const { subject, text, button } = isJsonObject(given) ? given : {}
  if (!isText(subject) || !isText(text) || (button !== undefined && !isText(button)))
    throw new TypeError(`sendMail: expected template.${language} to have the texts subject, text and maybe button`)
  return { subject, text, button: button ?? null }
}

function parseTemplate(template: unknown): ByLanguage<MailTexts> {
  if (!isJsonObject(template)) throw new TypeError('sendMail: expected a template with texts by language')
  const others = Object.entries(template).map(([language, given]) => [language, parseTexts(language, given)] as const)
  return { ...Object.fromEntries(others), en: parseTexts('en', template['en']) }
}

/** @throws TypeError A text without its value would be sent with the braces. */
function checkValues(texts: ByLanguage<MailTexts>, values: Readonly<Record<string, unknown>>): void {
  const all = Object.values(texts)
  const used = all
    .flatMap(({ subject, text, button }) => [...`${subject} ${text} ${button ?? ''}`.matchAll(/\{(\w+)\}/g)])
    .map(([, name = '']) => name)
  const needed = [...new Set([...used, ...(all.some(({ button }) => button !== null) ? ['url'] : [])])]
  const missing = needed.filter((name) => name !== 'site' && typeof values[name] !== 'string')
  if (missing.length > 0) throw new TypeError(`sendMail: expected these values to be strings: ${missing.join(', ')}`)
}

/** @throws AuthError `EmailSignin`: the address may be what a visitor typed */
function parseAddress(text: string): string {
  const address = normalizeEmailAddress(text)
  if (address !== null) return address
  if (hasInternationalLocalPart(text))
    throw new AuthError('EmailSignin', 'sendMail: expected only ASCII before the @ of an email address', {
      reason: 'non-ascii',
      status: 400
    })
  throw new AuthError('EmailSignin', 'sendMail: expected a single email address', { reason: 'invalid', status: 400 })
}

/** Creates the {@link MailControl} of an instance. */
export function mailControl({ sendOwnMail }: Services, configFor: (origin: string) => Config | null): MailControl {
  return {
    sendMail: async (template, options) => {
      assertShape('sendMail', options, shape, ['to'])
      const { values = {}, language, limit = true } = options
      const to = parseAddress(options.to)
      const request = options.request && { ...options.request }
      const texts = parseTemplate(template)
      checkValues(texts, values)
      const config = request && requireConfig('sendMail', request, configFor)
      const mail = { caller: 'sendMail', texts, to, values }
      const send = (): Promise<void> =>
        sendOwnMail(mail, {
          language,
          ...(request && config ? { request: { ...request, origin: config.origin } } : {})
        })
      const limits = config && request && limit ? mailLimits(getRateLimitAddress(to), request, config) : null
      await limits?.consume()
      await send().catch(async (error: unknown) => {
        await limits?.refund()
        throw error
      })
    }
  }
}
