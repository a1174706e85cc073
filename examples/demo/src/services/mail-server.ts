import type { Readable } from 'node:stream'
import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { listen } from './listening.ts'

/** A mail that arrived. */
export interface Mail {
  readonly id: string
  /** Whom the envelope names: that is where a mail goes, whatever its headers say. */
  readonly to: string
  readonly from: string
  readonly subject: string
  /** When it arrived. */
  readonly date: Date
  readonly text: string
  /** `null`: the mail has no HTML part. */
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
  /** 0 takes any free port. */
  readonly port: number
  readonly host?: string
}

const keptMails = 100
const maxMailSize = 1_000_000

/** Starts a mail server that takes mail for everybody, keeps it in memory and delivers nothing. */
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
        mails = [...mails, { ...mail, id: `${count}`, to }].slice(-keptMails)
        done()
      }, done)
    }
  })
  // A client that goes away in the middle is its own affair; without a listener it would end this process.
  smtp.on('error', () => undefined)
  const { port, close } = await listen(smtp.server, { ...options, service: 'mail server', variable: 'SMTP_PORT' })
  return { url: `smtp://localhost:${port}`, mails: () => mails, close }
}

async function read(stream: Readable): Promise<Omit<Mail, 'id' | 'to'>> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    // What is too much is read to its end, so that the client hears the answer, but not kept.
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
