import type { ProblemDetail } from '../errors/config-error.ts'
import type { MailServer } from '../model/runtime.ts'

/** The properties that identify nodemailer's other transports, and other ways to configure a server. */
const ways = ['host', 'url', 'service', 'path', 'socket', 'connection', 'getSocket', 'send', 'SES']

/**
 * @returns The problem of a mail server, or `null`. nodemailer replaces a server that it cannot parse with `localhost`.
 */
export function serverProblem(server: MailServer): ProblemDetail | null {
  if (typeof server !== 'string') {
    const isMisnamed = 'hostname' in server && !ways.some((name) => name in server)
    const message = 'unknown option hostname; did you mean host?'
    return isMisnamed ? { code: 'UNKNOWN_OPTION', message } : null
  }
  if (/^(smtps?|direct):\/\//i.test(server)) return null
  const expected = 'expected a URL like smtp://localhost:1025, got another string'
  const isHost = /^[\w.-]+(:\d+)?\/?$/.test(server)
  return { code: 'INVALID_URL', message: isHost ? `${expected}; write smtp:// before it` : expected }
}

/** @returns The problem of a sender, or `null`. A sender may have a name: `App <sign-in@app.example.com>`. */
export function senderProblem(from: string): ProblemDetail | null {
  if (/[^\s<]@[^\s>]/.test(from)) return null
  const message =
    'expected an email address like App <sign-in@app.example.com>, got another string; write the address of the sender'
  return { code: 'INVALID_VALUE', message }
}
