import type { TicketStore } from '../adapter/store.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import { assertShape, assertTexts } from '../config/assert-arguments.ts'
import type { Services } from '../config/config.ts'
import { AccountError } from '../errors/account-error.ts'
import { ticketKinds } from '../model/ticket-kinds.ts'
import type { Shape } from '../schema/schema.ts'
import { keyedHash, keyedHashes, sha256 } from '../tokens/hash.ts'
import { randomBase64Url } from '../tokens/random.ts'

export interface OneTimeTokenOptions {
  /** Seconds in which the token can be used. */
  readonly expiresIn: number
}

/**
 * Tokens that the application mails or shows, such as those of a link to choose a new password. Each is for one purpose and
 * used once. Only a keyed hash is stored, in `postern_ticket`, and other applications with the same store do not accept it. A
 * token ends when the `secret` that it was created with is removed.
 *
 * A purpose is a name such as `reset-password`. A subject is the id of a user, or whatever else the token is about: up to
 * 255 characters without control characters. Tokens whose subject is the id of a user are deleted when the user is suspended
 * or deleted.
 *
 * Every method throws `AccountError` `ADAPTER_INCOMPLETE` if the adapter does not store tickets, and `TypeError` for an
 * invalid argument. A token is input of a client: a value that is no token is unknown.
 */
export interface OneTimeTokens {
  /** Creates a token: 43 letters, digits, `-` and `_`. */
  create(purpose: string, subject: string, options: OneTimeTokenOptions): Promise<string>
  /**
   * Returns the subject of a token, which can still be used: for the page that a mailed link opens, as mail scanners open
   * links too.
   *
   * @returns `null` if the token was used, has expired, was revoked, is for another purpose, or is unknown.
   */
  read(purpose: string, token: unknown): Promise<string | null>
  /**
   * Uses a token. Exactly one of several concurrent calls receives the subject.
   *
   * @returns `null` as {@link OneTimeTokens.read}.
   */
  consume(purpose: string, token: unknown): Promise<string | null>
  /** Ends all tokens of this purpose for a subject. */
  revoke(purpose: string, subject: string): Promise<void>
}

const optionsShape: Shape = { expiresIn: 'seconds' }

/** The subject is stored in the column for user ids. */
const maxSubjectLength = 255

function assertSubject(call: string, subject: string): void {
  assertTexts(call, { subject })
  if (subject.length > maxSubjectLength || /[\p{Cc}\p{Cs}]/u.test(subject))
    throw new TypeError(`${call}: expected subject to have up to 255 characters, and no control characters`)
}

const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value)

function requireTickets(call: string, { store }: Services): TicketStore {
  if (store?.tickets) return store.tickets
  throw new AccountError(
    'ADAPTER_INCOMPLETE',
    `${call}: expected an adapter that stores tickets (createTicket, consumeTicket, …)`
  )
}

/** Creates the {@link OneTimeTokens} of an instance. */
export function oneTimeTokens(services: Services): OneTimeTokens {
  const { application, keys, runtime } = services
  const getKind = async (purpose: string): Promise<string> =>
    `${ticketKinds.oneTimeToken.name}.${await sha256(JSON.stringify([application.id, purpose]), 'base64url')}`
  const find = async (
    call: string,
    purpose: string,
    token: unknown,
    get: (tickets: TicketStore, key: TicketKey) => ReturnType<TicketStore['read']>
  ): Promise<string | null> => {
    assertTexts(call, { purpose })
    const tickets = requireTickets(call, services)
    if (!isToken(token)) return null
    const kind = await getKind(purpose)
    // A token ends with the secret that it was created with.
    for (const id of await keyedHashes(keys.oneTimeToken, token)) {
      const ticket = await get(tickets, { kind, id })
      if (ticket) return ticket.expires.getTime() > runtime.now() ? ticket.data : null
    }
    return null
  }
  return {
    create: async (purpose, subject, options) => {
      const call = 'oneTimeTokens.create'
      assertTexts(call, { purpose })
      assertSubject(call, subject)
      assertShape(call, options, optionsShape, ['expiresIn'])
      const tickets = requireTickets(call, services)
      const token = randomBase64Url(runtime.randomBytes, 32)
      const key = { kind: await getKind(purpose), id: await keyedHash(keys.oneTimeToken, token) }
      const expires = new Date(runtime.now() + options.expiresIn * 1000)
      await tickets.create({ ...key, userId: subject, data: subject, tries: 0, expires })
      return token
    },
    read: (purpose, token) => find('oneTimeTokens.read', purpose, token, (tickets, key) => tickets.read(key)),
    consume: (purpose, token) => find('oneTimeTokens.consume', purpose, token, (tickets, key) => tickets.consume(key)),
    revoke: async (purpose, subject) => {
      const call = 'oneTimeTokens.revoke'
      assertTexts(call, { purpose })
      assertSubject(call, subject)
      await requireTickets(call, services).delete(subject, await getKind(purpose))
    }
  }
}
