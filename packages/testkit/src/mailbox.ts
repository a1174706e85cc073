/** A mail for the mail server. */
export interface Message {
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A received mail, with the links and codes of its text part. */
export interface Mail extends Message {
  /** The mail server that the sender named. */
  readonly server: unknown
  /** Every http(s) link of the text part, in order. */
  readonly links: readonly string[]
  /** Every one-time code of the text part, in order, without the gap that some mails contain. */
  readonly codes: readonly string[]
  /** The first link. Throws if there is none. */
  readonly url: string
  /** The first one-time code. Throws if there is none. */
  readonly code: string
}

export interface Mailbox {
  /** Accepts a mail, or fails with the error of {@link Mailbox.fail}. Compatible with a runtime's `sendMail`. */
  readonly sendMail: (server: unknown, message: Message) => Promise<void>
  /** The received mails, oldest first. */
  readonly mails: readonly Mail[]
  /** The newest mail. Throws if there is none. */
  readonly last: () => Mail
  /** Makes every following `sendMail` fail with this error; `null` ends the failure. */
  readonly fail: (error: Error | null) => void
}

const consonants = 'BCDFGHJKLMNPQRSTVWXZ'
const code = `([${consonants}]{4}[ -]?[${consonants}]{4})`
const codes = new RegExp(`^[ \\t]*${code}[ \\t]*$|\\b[Cc]ode\\b[^\\n]{0,40}?\\b${code}\\b`, 'gm')

/** Creates a mail server that stores every mail. */
export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  let failure: Error | null = null
  return {
    mails,
    sendMail: async (server, message) => {
      if (failure) throw failure
      mails.push(new ReceivedMail(server, message))
    },
    last: () => first(mails.slice(-1), 'a mail'),
    fail: (error) => {
      failure = error
    }
  }
}

class ReceivedMail implements Mail {
  readonly server: unknown
  readonly to: string
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly links: readonly string[]
  readonly codes: readonly string[]

  constructor(server: unknown, { to, from, subject, text, html }: Message) {
    this.server = server
    this.to = to
    this.from = from
    this.subject = subject
    this.text = text
    this.html = html
    this.links = Array.from(text.matchAll(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g), ([link]) => link)
    this.codes = Array.from(text.matchAll(codes), ([, alone, named]) => (alone ?? named ?? '').replace(/[ -]/, ''))
  }

  get url(): string {
    return first(this.links, `a link in the mail "${this.subject}"`)
  }

  get code(): string {
    return first(this.codes, `a code in the mail "${this.subject}"`)
  }
}

function first<T>([item]: readonly T[], expected: string): T {
  if (item === undefined) throw new Error(`mailbox: expected ${expected}, found none`)
  return item
}
