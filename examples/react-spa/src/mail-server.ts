import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { listen } from './listen.ts'

/** A received mail. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface MailServer {
  /** `smtp://localhost:3125`. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts a mail server that passes every mail to a callback and delivers none. */
export async function startMailServer(port: number, onMail: (mail: Mail) => void): Promise<MailServer> {
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: async (stream, { envelope }, done) => {
      try {
        const { subject = '', text = '' } = await PostalMime.parse(await buffer(stream))
        onMail({ to: envelope.rcptTo.map(({ address }) => address).join(', '), subject, text })
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error('the mail could not be read'))
      }
    }
  })
  // A client that disconnects is not an error.
  smtp.on('error', () => undefined)
  const { port: taken, close } = await listen(smtp.server, port)
  return { url: `smtp://localhost:${taken}`, close }
}
