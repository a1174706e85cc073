import type { Awaitable } from './awaitable.ts'
import type { Captcha } from './captcha.ts'
import type { ProviderTraits } from './provider-traits.ts'
import type { MailServer, Message } from './runtime.ts'

/** The argument of a function that sends sign-in mails. */
export interface VerificationRequest {
  readonly identifier: string
  /** The link; empty if only a code is sent. */
  readonly url: string
  readonly code: string | null
  readonly expires: Date
  readonly token: string
  /** The provider with its URLs, and every other configured option. */
  readonly provider: EmailProvider & { readonly [field: string]: unknown }
  readonly requestedAt: Date
  /** The browser that requested it, such as `Firefox (Linux)`; one of a fixed list, or `null` if it is unknown. */
  readonly browser: string | null
  /** The user's preferred languages: BCP 47 tags, most preferred first. */
  readonly languages: readonly string[]
  readonly theme: Readonly<{ colorScheme?: string; logo?: string; brandColor?: string; buttonText?: string }>
}

/** A rendered mail for a sending service. */
export interface Delivery {
  readonly message: Message
  /** The data of a sign-in mail, for services that render mails themselves; `null` for the mails of features. */
  readonly request: VerificationRequest | null
  readonly apiKey: string
  /**
   * Sends a POST request to the service, over https and within the time limit for mails. @throws if it did not respond
   * with success
   */
  readonly post: (
    url: string,
    init: { readonly headers: Record<string, string>; readonly body: string | URLSearchParams }
  ) => Promise<void>
}

/** A provider that signs users in with a mailed link. */
export interface EmailProvider {
  readonly kind: 'email'
  readonly traits: ProviderTraits
  readonly id: string
  readonly name: string
  readonly type: 'email'
  readonly server: MailServer | null
  readonly from: string
  /** Seconds. */
  readonly maxAge: number
  /**
   * When a link requires confirmation with a button: `'auto'` in other browsers, `'always'`, or `'never'` (as next-auth
   * v4).
   */
  readonly confirm: 'auto' | 'always' | 'never'
  /** Whether the mail contains a code: in addition to the link, not at all, or instead of it. */
  readonly code: boolean | 'only'
  readonly sendVerificationRequest: ((request: VerificationRequest) => Awaitable<unknown>) | null
  readonly generateVerificationToken: (() => Awaitable<string>) | null
  readonly normalizeIdentifier: ((identifier: string) => string) | null
  /** Asked before a mail is sent; `null` for none. */
  readonly captcha: Captcha | null
  /** Passes the rendered mail to a service instead of a mail server. */
  readonly deliver: ((delivery: Delivery) => Awaitable<unknown>) | null
  /** The API key of that service. */
  readonly apiKey: string
  /** The complete configuration, for the provider's own functions. */
  readonly given: Readonly<Record<string, unknown>>
}
