import type { Transporter } from 'nodemailer'
import { defaults } from '../config/defaults.ts'
import type { MailServer, Message } from '../model/runtime.ts'

/** One pool of connections for each mail server, for the life of the process. */
const transports = new Map<MailServer, Promise<Transporter>>()

const timeouts = {
  connectionTimeout: defaults.mailTimeoutMilliseconds,
  greetingTimeout: defaults.mailTimeoutMilliseconds,
  socketTimeout: defaults.mailTimeoutMilliseconds,
  dnsTimeout: defaults.mailTimeoutMilliseconds
}

/** nodemailer is loaded with the first mail: applications that send none need not have it. */
async function open(server: MailServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer').catch((cause: unknown) => {
    throw new TypeError('sending mail needs the package nodemailer; install it beside @postern/core', { cause })
  })
  const options = typeof server === 'string' ? { url: server } : server
  return createTransport({ pool: true, ...timeouts, disableFileAccess: true, disableUrlAccess: true, ...options })
}

function transportOf(server: MailServer): Promise<Transporter> {
  const known = transports.get(server)
  if (known) return known
  const opening = open(server)
  transports.set(server, opening)
  opening.catch(() => transports.delete(server))
  return opening
}

/**
 * Hands a mail to the mail server.
 *
 * The envelope names the one recipient, whatever a header parser would make of the address.
 *
 * @throws Error the server refused it, or accepted it for somebody else.
 */
export async function sendMail(server: MailServer, { to, from, subject, text, html }: Message): Promise<void> {
  const transport = await transportOf(server)
  const envelope = { from, to: [to] }
  const headers = { 'Auto-Submitted': 'auto-generated' }
  const sent = await transport.sendMail({ to: { name: '', address: to }, from, subject, text, html, envelope, headers })
  const recipients: unknown = sent.envelope?.to
  const isExact = Array.isArray(recipients) && recipients.length === 1 && recipients[0] === to
  if (!isExact) throw new Error('the mail went to another address than the one that was asked for')
  if ((sent.rejected?.length ?? 0) > 0 || (sent.pending?.length ?? 0) > 0)
    throw new Error('the mail server refused the recipient')
}
