import type { Transport, Transporter } from 'nodemailer'
import { isPlainEmailAddress } from '../model/normalize-email-address.ts'
import type { MailLimits, MailServer, Message, Runtime } from '../model/runtime.ts'

/** Above nodemailer's default of five, so that slow deliveries do not delay other mails. */
const maxConnections = 20

/** Whether the value is a transport that the application created with nodemailer. */
function isTransport(server: MailServer): server is MailServer & Transport {
  return typeof server === 'object' && typeof server['send'] === 'function'
}

/** nodemailer's own transports that do not use SMTP. With `pool`, nodemailer would take them for a mail server. */
const otherTransports = ['sendmail', 'streamTransport', 'jsonTransport', 'SES']

/** Applications without a mail server need not install nodemailer. @throws TypeError if it is not installed. */
export async function loadNodemailer(): Promise<Pick<typeof import('nodemailer'), 'createTransport'>> {
  return import('nodemailer').catch((cause: unknown) => {
    throw new TypeError('sending mail needs the package nodemailer; install it with @postern/core', { cause })
  })
}

async function open(server: MailServer, { timeout }: Partial<MailLimits>): Promise<Transporter> {
  const { createTransport } = await loadNodemailer()
  if (isTransport(server)) return createTransport(server)
  if (typeof server === 'object' && otherTransports.some((name) => server[name]))
    return createTransport({ disableFileAccess: true, disableUrlAccess: true, ...server })
  const options = typeof server === 'string' ? { url: server } : server
  return createTransport({
    pool: true,
    maxConnections,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...options
  })
}

async function send(transport: Transporter, { to, from, subject, text, html }: Message): Promise<void> {
  const envelope = { from, to: [to] }
  const headers = { 'Auto-Submitted': 'auto-generated' }
  const sent = await transport.sendMail({ to: { name: '', address: to }, from, subject, text, html, envelope, headers })
  const recipients: unknown = sent.envelope?.to
  const isExact =
    Array.isArray(recipients) && recipients.length === 1 && String(recipients[0]).toLowerCase() === to.toLowerCase()
  if (!isExact) throw new Error('the mail was sent to another address than the requested one')
  const isRefused = (sent.rejected?.length ?? 0) > 0 || (sent.pending?.length ?? 0) > 0
  if (isRefused) throw new Error('the mail server rejected the recipient')
}

/** Sends mail with one connection pool per mail server. */
export interface Mailer {
  /**
   * Sends a mail.
   *
   * The envelope contains exactly one recipient, regardless of how a header parser would read the address.
   *
   * @param limits - The limits of the first mail apply to all connections to its server.
   * @throws Error if the server refused the mail, or accepted it for another recipient.
   */
  readonly sendMail: Runtime['sendMail']
  /** Closes the connections; a later mail opens new ones. */
  readonly close: () => Promise<void>
}

/** Creates a mailer that sends through nodemailer. */
export function createMailer(): Mailer {
  const transports = new Map<MailServer, Promise<Transporter>>()
  const getTransport = (server: MailServer, limits: Partial<MailLimits>): Promise<Transporter> => {
    const known = transports.get(server)
    if (known) return known
    const opening = open(server, limits)
    transports.set(server, opening)
    opening.catch(() => transports.delete(server))
    return opening
  }
  return {
    sendMail: async (server, message, limits: Partial<MailLimits> = {}) => {
      if (!isPlainEmailAddress(message.to))
        throw new TypeError('expected a single email address without a display name')
      await send(await getTransport(server, limits), message)
    },
    close: async () => {
      const open = [...transports.values()]
      transports.clear()
      for (const transport of await Promise.allSettled(open)) {
        if (transport.status === 'fulfilled') transport.value.close()
      }
    }
  }
}
