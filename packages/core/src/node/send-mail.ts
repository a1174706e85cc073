import type { Transport, Transporter } from 'nodemailer'
import { isPlainAddress } from '../model/plain-address.ts'
import type { MailLimits, MailServer, Message, Runtime } from '../model/runtime.ts'

/** A server that takes long over some recipients must not hold up the others: more than nodemailer's five at once. */
const maxConnections = 20

/** Whether somebody made a transport of nodemailer's for us, of whatever kind. */
function isTransport(server: MailServer): server is MailServer & Transport {
  return typeof server === 'object' && typeof server['send'] === 'function'
}

/** nodemailer is loaded with the first mail: applications that send none need not have it. */
async function open(server: MailServer, { timeout }: Partial<MailLimits>): Promise<Transporter> {
  const { createTransport } = await import('nodemailer').catch((cause: unknown) => {
    throw new TypeError('sending mail needs the package nodemailer; install it beside @postern/core', { cause })
  })
  if (isTransport(server)) return createTransport(server)
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
  if (!isExact) throw new Error('the mail went to another address than the one that was asked for')
  const isRefused = (sent.rejected?.length ?? 0) > 0 || (sent.pending?.length ?? 0) > 0
  if (isRefused) throw new Error('the mail server refused the recipient')
}

/** Hands mails to mail servers, over one pool of connections for each. */
export interface Mailer {
  /**
   * Hands a mail to the mail server.
   *
   * The envelope names the one recipient, whatever a header parser would make of the address.
   *
   * @param limits - Those of the first mail to a server hold for its connections.
   * @throws Error the server refused it, or accepted it for somebody else.
   */
  readonly sendMail: Runtime['sendMail']
  /** Closes the connections; a later mail opens new ones. */
  readonly close: () => Promise<void>
}

export function createMailer(): Mailer {
  const transports = new Map<MailServer, Promise<Transporter>>()
  const transportOf = (server: MailServer, limits: Partial<MailLimits>): Promise<Transporter> => {
    const known = transports.get(server)
    if (known) return known
    const opening = open(server, limits)
    transports.set(server, opening)
    opening.catch(() => transports.delete(server))
    return opening
  }
  return {
    sendMail: async (server, message, limits: Partial<MailLimits> = {}) => {
      if (!isPlainAddress(message.to)) throw new TypeError('expected one e-mail address of the plain form')
      await send(await transportOf(server, limits), message)
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
