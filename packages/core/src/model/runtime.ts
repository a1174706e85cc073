/** A mail for the mail server. */
export interface Message {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * A mail server: a URL (`smtp://user:password@host:587`) or the options of a nodemailer transport. Mails share a pool
 * of 20 connections; for a server that accepts fewer, add `?maxConnections=3`, or the option of that name.
 */
export type MailServer = string | Readonly<Record<string, unknown>>

/** The limits of an outbound call. */
export interface FetchLimits {
  /** Whether http and private addresses are allowed. */
  readonly allowInsecureRequests: boolean
  /** Milliseconds until the call is aborted. */
  readonly timeout: number
  /** Maximum bytes of the response; Postern's own calls pass `constants.outboundMaxBytes`. */
  readonly maxBytes: number
}

/** The limits of sending a mail. */
export interface MailLimits {
  /** Milliseconds for each step of the SMTP dialog; Postern's own mails pass `constants.mailTimeoutMilliseconds`. */
  readonly timeout: number
}

/** The effects that Postern depends on: clock, randomness and network. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Returns cryptographically secure random bytes. */
  readonly randomBytes: (size: number) => Uint8Array
  /**
   * Sends every request to a provider. The one of `@postern/core/node` reaches public addresses only; `proxiedFetch`
   * uses a proxy. Whichever is set, responses that redirect, exceed a limit or are not text are rejected.
   */
  readonly fetch: (url: string, init: RequestInit, limits: FetchLimits) => Promise<Response>
  /** Sends a mail; the one of `@postern/core/node` uses SMTP through nodemailer. */
  readonly sendMail: (server: MailServer, message: Message, limits: MailLimits) => Promise<void>
  /**
   * Finds or loads what `sendMail` needs, at startup if a mail server is configured; rejects if it is missing, which is logged
   * as `MAILER_MISSING`. @defaultValue nothing
   */
  readonly loadMailer?: (() => Promise<unknown>) | undefined
}
