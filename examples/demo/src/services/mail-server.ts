import type { Readable } from 'node:stream'
import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { listen } from './listening.ts'

/** A received mail. */
export interface Mail {
  readonly id: string
  /** The recipient in the envelope, which decides about delivery regardless of the headers. */
  readonly to: string
  readonly from: string
  readonly subject: string
  /** When the mail was received. */
  readonly date: Date
  readonly text: string
  /** `null` if the mail has no HTML part. */
  readonly html: string | null
}

export interface MailServer {
  /** `smtp://localhost:2525`. */
  readonly url: string
  /** The last 100 mails, oldest first. */
  readonly mails: () => readonly Mail[]
  readonly close: () => Promise<void>
}

export interface MailServerOptions {
  /** 0 selects any free port. */
  readonly port: number
  readonly host?: string
}

const maxStoredMails = 100
const maxMailSize = 1_000_000

/** Starts a mail server that accepts mail for every address, keeps it in memory and delivers nothing. */
export async function startMailServer(options: MailServerOptions): Promise<MailServer> {
  let mails: readonly Mail[] = []
  let count = 0
  const smtp = new SMTPServer({
    banner: 'demo',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxMailSize,
    logger: false,
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address).join(', ')
      read(stream).then((mail) => {
        if (stream.sizeExceeded) return done(tooLarge())
        count += 1
        mails = [...mails, { ...mail, id: `${count}`, to }].slice(-maxStoredMails)
        done()
      }, done)
    }
  })
  // A client that disconnects causes an error event, which would end this process without a listener.
  smtp.on('error', () => undefined)
  const { port, close } = await listen(smtp.server, { ...options, service: 'mail server', variable: 'SMTP_PORT' })
  return { url: `smtp://localhost:${port}`, mails: () => mails, close }
}

async function read(stream: Readable): Promise<Omit<Mail, 'id' | 'to'>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    // The rest of an oversized mail is read but discarded, so that the client receives the response.
    if (size <= maxMailSize) parts.push(part)
  }
  const { from, subject, text, html } = await PostalMime.parse(Buffer.concat(parts))
  return { from: toText(from), subject: subject ?? '', date: new Date(), text: text ?? '', html: html ?? null }
}

function toText(address: Address | undefined): string {
  if (!address?.address) return address?.name ?? ''
  return address.name ? `${address.name} <${address.address}>` : address.address
}

function tooLarge(): Error {
  return Object.assign(new Error(`the mail is larger than ${maxMailSize} bytes`), { responseCode: 552 })
}
