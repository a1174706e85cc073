import type { MailServer, Message } from './runtime.ts'

type Awaitable<T> = T | Promise<T>

/** What a sender of sign-in mails is told. */
export interface VerificationRequest {
  readonly identifier: string
  /** The link; empty where only a code is sent. */
  readonly url: string
  readonly code: string | null
  readonly expires: Date
  readonly token: string
  /** The provider with its addresses, and with whatever else was configured. */
  readonly provider: EmailProvider & { readonly [field: string]: unknown }
  /** What whoever asked reads: tags of BCP 47, best first. */
  readonly languages: readonly string[]
  readonly theme: Readonly<{ colorScheme?: string; logo?: string; brandColor?: string; buttonText?: string }>
}

/** A rendered mail on its way to a sending service. */
export interface Delivery {
  readonly message: Message
  /** What is in it, for services that render mails themselves. */
  readonly request: VerificationRequest
  readonly apiKey: string
  /** POSTs to the service, over https and within the time that a mail may take. @throws it did not answer with success */
  readonly post: (
    url: string,
    init: { readonly headers: Record<string, string>; readonly body: string | URLSearchParams }
  ) => Promise<void>
}

/** A way in through a mailed link. */
export interface EmailProvider {
  readonly kind: 'email'
  readonly id: string
  readonly name: string
  readonly type: 'email'
  readonly server: MailServer | null
  readonly from: string
  /** Seconds. */
  readonly maxAge: number
  /** When a link needs a button: in other browsers, in every one, in none (next-auth v4's way). */
  readonly confirm: 'auto' | 'always' | 'never'
  /** Whether the mail carries a code: beside the link, not at all, or instead of it. */
  readonly code: boolean | 'only'
  readonly sendVerificationRequest: ((request: VerificationRequest) => Awaitable<unknown>) | null
  readonly generateVerificationToken: (() => Awaitable<string>) | null
  readonly normalizeIdentifier: ((identifier: string) => string) | null
  /** Whether domains may be written in other letters than ASCII; they are kept and sent to as A-labels. */
  readonly internationalDomains: boolean
  /** Hands the rendered mail to a service in place of a mail server. */
  readonly deliver: ((delivery: Delivery) => Awaitable<unknown>) | null
  /** The key of that service. */
  readonly apiKey: string
  /** Everything that was configured, for the provider's own functions. */
  readonly given: Readonly<Record<string, unknown>>
}
