import type { EmailProvider } from '../model/provider.ts'
import type { MailServer } from '../model/runtime.ts'
import { isPlain } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

/** @returns The function as the provider calls it, or `null` where there is none. */
function functionOf<F>(value: unknown): F | null {
  return typeof value === 'function' ? (value as F) : null
}

function serverOf(value: unknown): MailServer | null {
  if (typeof value === 'string' && value !== '') return value
  return isPlain(value) ? value : null
}

/** The sender of links, and how its links are used. */
export function resolveEmail({ id, name, merged, note }: Draft, surroundings: ProviderSurroundings): EmailProvider {
  const { environment, hasVerifyRequestPage, verificationMaxAge } = surroundings
  const { from, maxAge, confirm, code } = merged
  const server = serverOf(merged['server'] ?? environment['EMAIL_SERVER'])
  const sendVerificationRequest = functionOf<NonNullable<EmailProvider['sendVerificationRequest']>>(
    merged['sendVerificationRequest']
  )
  const sender = from ?? environment['EMAIL_FROM']
  if (!server && !sendVerificationRequest)
    note('server', 'expected the URL or the options of a mail server, got nothing; set EMAIL_SERVER or pass server')
  if (!sendVerificationRequest && typeof sender !== 'string')
    note('from', 'expected an address, got nothing; set EMAIL_FROM or pass from')
  if (typeof maxAge === 'number' && maxAge > 86_400) note('maxAge', 'expected at most 86400 seconds')
  return {
    kind: 'email',
    type: 'email',
    id,
    name,
    server,
    from: typeof sender === 'string' ? sender : '',
    maxAge: typeof maxAge === 'number' ? maxAge : verificationMaxAge,
    confirm: confirm === 'always' || confirm === 'never' ? confirm : 'auto',
    code: code === true || code === false || code === 'only' ? code : !hasVerifyRequestPage && !sendVerificationRequest,
    sendVerificationRequest,
    generateVerificationToken: functionOf(merged['generateVerificationToken']),
    normalizeIdentifier: functionOf(merged['normalizeIdentifier'])
  }
}
