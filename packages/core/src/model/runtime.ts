/** A mail as it is handed to the mail server. */
export interface Message {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * A mail server: a URL (`smtp://user:password@host:587`) or the options of a nodemailer transport. Mails share a pool of
 * 20 connections; a server that takes fewer is told by `?maxConnections=3`, or the option of that name.
 */
export type MailServer = string | Readonly<Record<string, unknown>>

/** How an outbound call is limited. */
export interface FetchLimits {
  /** Whether http and private addresses are allowed. */
  readonly allowInsecureRequests: boolean
  /** Milliseconds until the call is given up. */
  readonly timeout: number
  /** Bytes that the answer may have; Postern's own calls pass `constants.outboundMaxBytes`. */
  readonly maxBytes: number
}

/** How the sending of a mail is limited. */
export interface MailLimits {
  /** Milliseconds for each step of the server; Postern's own mails pass `constants.mailTimeoutMilliseconds`. */
  readonly timeout: number
}

/** Everything that is not a value: the clock, chance and the network. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Bytes that nobody can guess. */
  readonly randomBytes: (size: number) => Uint8Array
  /**
   * Carries every call to a provider; the one of `@postern/core/node` reaches public addresses only, and `proxiedFetch`
   * goes through a proxy. Whichever it is, answers that redirect, come too late, are too long or no text are refused.
   */
  readonly fetch: (url: string, init: RequestInit, limits: FetchLimits) => Promise<Response>
  /** Sends a mail; the one of `@postern/core/node` speaks SMTP through nodemailer. */
  readonly sendMail: (server: MailServer, message: Message, limits: MailLimits) => Promise<void>
  /** Ends the process at once, as the loss of the machine would: for tests, by `POSTERN_FAILPOINT`. */
  readonly kill?: (() => void) | undefined
}
