import type { Message, Runtime } from '@postern/core'

/** A received mail, with the links and codes of its text part. */
export interface Mail extends Message {
  /** Every http(s) link of the text part, in order. */
  readonly links: readonly string[]
  /** Every one-time code of the text part, in order, without the space that a mail shows it with. */
  readonly codes: readonly string[]
}

/** A mail server of a test: `runtime: { sendMail: mailbox.sendMail }`. */
export interface Mailbox {
  readonly sendMail: Runtime['sendMail']
  /** The received mails, oldest first. */
  readonly mails: readonly Mail[]
  /**
   * The newest mail, or the newest one to an address.
   *
   * @throws Error if there is none.
   */
  readonly last: (to?: string) => Mail
}

/** Codes consist of consonants in capitals, so that they are no words. */
const code = /\b[BCDFGHJKLMNPQRSTVWXZ]{4}[ -]?[BCDFGHJKLMNPQRSTVWXZ]{2,28}\b/g
const link = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/g

function readMail(message: Message): Mail {
  const { text } = message
  return {
    ...message,
    links: text.match(link) ?? [],
    codes: (text.match(code) ?? []).map((one) => one.replace(/[ -]/, ''))
  }
}

/** Creates a mailbox that receives every mail of an application, for the option `runtime`. */
export function createMailbox(): Mailbox {
  const mails: Mail[] = []
  return {
    mails,
    sendMail: async (_server, message) => {
      mails.push(readMail(message))
    },
    last: (to) => {
      const mail = mails.findLast((one) => to === undefined || one.to === to)
      if (!mail) throw new Error(`mailbox: expected a mail${to === undefined ? '' : ` to ${to}`}, found none`)
      return mail
    }
  }
}
