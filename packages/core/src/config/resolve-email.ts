import { named, textual } from '../errors/user-code.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { isJsonObject } from '../model/json-object.ts'
import type { MailServer } from '../model/runtime.ts'
import { senderProblem, serverProblem } from './check-mail.ts'
import { environmentName } from './endpoints.ts'
import { boundFunction, textOrNull } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

/** The URL or the options of a server, or one of nodemailer's transports. */
function serverOf(value: unknown): MailServer | null {
  if (typeof value === 'string' && value !== '') return value
  return isJsonObject(value) ? value : null
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

const keyNameOf = (id: string): string => `AUTH_${environmentName(id)}_KEY`

/** What the built-in mail goes through. */
interface Way {
  readonly server: MailServer | null
  readonly deliver: EmailProvider['deliver']
  readonly apiKey: string | null
  readonly address: unknown
}

/** Notes what the built-in mail cannot be sent with; whoever sends it himself knows what he needs. */
function checkBuiltIn(
  { server, deliver, apiKey, address }: Way,
  { id, name, merged, note }: Pick<Draft, 'id' | 'name' | 'merged' | 'note'>
): void {
  if (deliver && !apiKey)
    note('apiKey', `expected the key of the service, got nothing; set ${keyNameOf(id)} or pass apiKey`)
  for (const option of textsOf(merged['needs'])) {
    if (!textOrNull(merged[option])) note(option, `expected a text, which ${name} cannot do without; pass ${option}`)
  }
  if (!server && !deliver)
    note('server', 'expected the URL or the options of a mail server, got nothing; set EMAIL_SERVER or pass server')
  const unreachable = server && !deliver && serverProblem(server)
  if (unreachable) note('server', unreachable)
  const nobody =
    typeof address === 'string'
      ? senderProblem(address)
      : 'expected an address, got nothing; set EMAIL_FROM or pass from'
  if (nobody) note('from', nobody)
}

/** The sender of links, and how its links are used. */
export function resolveEmail({ id, name, merged, note }: Draft, surroundings: ProviderSurroundings): EmailProvider {
  const { environment, hasVerifyRequestPage, verificationMaxAge, callbackTimeout, mailTimeout } = surroundings
  const { from, maxAge, confirm, code } = merged
  const server = serverOf(merged['server'] ?? environment['EMAIL_SERVER'])
  const sender = boundFunction<NonNullable<EmailProvider['sendVerificationRequest']>>(
    merged['sendVerificationRequest'],
    merged
  )
  const sendVerificationRequest = sender && named(`providers.${id}.sendVerificationRequest`, sender, mailTimeout)
  const generate = boundFunction<() => unknown>(merged['generateVerificationToken'], merged)
  const address = from ?? environment['EMAIL_FROM']
  const deliver = boundFunction<NonNullable<EmailProvider['deliver']>>(merged['deliver'], merged)
  const apiKey = textOrNull(merged['apiKey'] ?? environment[keyNameOf(id)])
  if (!sendVerificationRequest) checkBuiltIn({ server, deliver, apiKey, address }, { id, name, merged, note })
  if (typeof maxAge === 'number' && maxAge > 86_400) note('maxAge', `expected at most 86400 seconds, got ${maxAge}`)
  return {
    kind: 'email',
    type: 'email',
    id,
    name,
    server,
    from: typeof address === 'string' ? address : '',
    maxAge: typeof maxAge === 'number' ? maxAge : verificationMaxAge,
    confirm: confirm === 'always' || confirm === 'never' ? confirm : 'auto',
    code: code === true || code === false || code === 'only' ? code : !hasVerifyRequestPage && !sendVerificationRequest,
    sendVerificationRequest,
    generateVerificationToken:
      generate && textual(`providers.${id}.generateVerificationToken`, generate, callbackTimeout),
    normalizeIdentifier: boundFunction(merged['normalizeIdentifier'], merged),
    internationalDomains: merged['internationalDomains'] === true,
    deliver,
    apiKey: apiKey ?? '',
    // Senders of Auth.js read the key from their provider.
    given: apiKey ? { ...merged, apiKey } : merged
  }
}
