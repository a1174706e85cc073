import type { MailServer } from '../model/runtime.ts'

/** What nodemailer's transports of other kinds, and other ways to name a server, are told by. */
const ways = ['host', 'url', 'service', 'path', 'socket', 'connection', 'getSocket', 'send', 'SES']

/** @returns What is wrong with a mail server: nodemailer takes what it cannot read for the server `localhost`. */
export function serverProblem(server: MailServer): string | null {
  if (typeof server !== 'string') {
    const isMisnamed = 'hostname' in server && !ways.some((name) => name in server)
    return isMisnamed ? 'there is no such option hostname; did you mean host?' : null
  }
  if (/^(smtps?|direct):\/\//i.test(server)) return null
  const expected = 'expected an address like smtp://localhost:1025, got another text'
  const isHost = /^[\w.-]+(:\d+)?\/?$/.test(server)
  return isHost ? `${expected}; write smtp:// before it` : expected
}

/** @returns What is wrong with a sender, alone or after a name: `App <sign-in@app.example.com>`. */
export function senderProblem(from: string): string | null {
  return /[^\s<]@[^\s>]/.test(from)
    ? null
    : 'expected an address like App <sign-in@app.example.com>, got another text; write the address that mails come from'
}
