import type { Store, TicketStore } from '../adapter/store.ts'
import type { TicketKey } from '../adapter/ticket.ts'
import type { AuthenticationContext } from '../model/authentication.ts'
import type { RequestCookies, SetCookies } from '../model/cookie.ts'
import type { Identity } from '../model/identity.ts'
import type { AccountPolicy } from '../model/provider-traits.ts'
import type { Runtime } from '../model/runtime.ts'
import { ticketKinds } from '../model/ticket-kinds.ts'
import { keyRing } from '../tokens/keys.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { type CookieSite, EncryptedCookie } from './encrypted-cookie.ts'
import type { NewUserFactor, PendingSignIn } from './feature.ts'
import type { StepUp } from './step-up.ts'

/** What a sign-in needs to continue after its interruptions. */
export interface PendingSignInState {
  readonly identity: Identity
  /** The usernames of the form. */
  readonly names: readonly string[]
  readonly providerId: string
  /** How the sign-in method finds the user. */
  readonly accountPolicy: AccountPolicy
  /** The user that the sign-in belonged to when it was interrupted; `null` for a new one. */
  readonly userId: string | null
  readonly initialUserId: string | null | undefined
  readonly isLink: boolean | undefined
  readonly callbackUrl: string
  readonly callbackInput: Readonly<Record<string, unknown>>
  /** Milliseconds since 1970; `null` if no password was submitted. */
  readonly submittedAt: number | null
  /** The version of the user that was read first; `null` for a new one, or if the adapter stores no rows of users. */
  readonly userVersion: number | null
  /** Factors that are created with a new user. */
  readonly newUserFactors: readonly NewUserFactor[]
  /** Whether the session ends with the browser, which the user has chosen. */
  readonly isForgotten: boolean
  /** How the user was authenticated before the interruptions. */
  readonly authentication: AuthenticationContext
  /** The interruptions that have passed. */
  readonly passed: readonly string[]
  /** The factors that they verified. */
  readonly factors: readonly string[]
  /** Whether the owner of the address takes over the user. */
  readonly isReclaim: boolean
  /** Factors that were enrolled, which the sign-in creates. */
  readonly newFactors: readonly NewUserFactor[]
  /** The address whose mailbox an interruption has proven; `null` for none. */
  readonly provenAddress: string | null
  /** The link that the user must confirm. */
  readonly link: PendingSignIn['link']
  /** Whether the session of the browser allows the link. */
  readonly isSessionLink: boolean
  /** The user who has to authenticate again. */
  readonly stepUp: StepUp | null
}

/** A pending sign-in of the store, with its key. */
export interface StoredSignIn {
  readonly key: TicketKey
  readonly state: PendingSignInState
}

/** Part of the path `/verify/cancel`, which ends a pending sign-in: no interruption has this id. */
export const cancelId = 'cancel'

const { name: kind, lifetime: maxAge } = ticketKinds.pendingSignIn

/** The attempts at the interruptions of one sign-in. */
const maxTries = 5

/**
 * Keeps interrupted sign-ins: the state in a ticket, which is encrypted, and its id in an encrypted cookie of the browser.
 * Neither is useful without the other.
 */
export class PendingSignIns {
  readonly #now: () => number
  readonly #cookie: EncryptedCookie
  readonly #randomBytes: Runtime['randomBytes']

  constructor(site: CookieSite, randomBytes: Runtime['randomBytes']) {
    const keys = keyRing(site.secrets, 'pending sign-in')
    this.#now = site.now
    this.#cookie = new EncryptedCookie({ name: 'pending', path: site.basePath, maxAge, keys }, site)
    this.#randomBytes = randomBytes
  }

  /** Writes the ticket. @returns Its key, and the cookie to set once the ticket is committed. */
  async create(
    state: PendingSignInState,
    { tickets }: Pick<Store, 'tickets'>
  ): Promise<{ readonly key: TicketKey; readonly cookies: SetCookies }> {
    const id = randomBase64Url(this.#randomBytes, 32)
    const expires = new Date(this.#now() + maxAge * 1000)
    await requireTickets(tickets).create({
      kind,
      id,
      userId: state.userId,
      data: JSON.stringify(state),
      tries: 0,
      expires
    })
    return { key: { kind, id }, cookies: await this.#cookie.create(id) }
  }

  /** @returns The pending sign-in of a browser; `null` if it has none, or it has expired. */
  async read(cookies: RequestCookies, { tickets }: Pick<Store, 'tickets'>): Promise<StoredSignIn | null> {
    const id = await this.#cookie.read(cookies)
    const key = id && { kind, id }
    const ticket = key && (await requireTickets(tickets).read(key))
    if (!key || !ticket || ticket.expires.getTime() <= this.#now()) return null
    if (ticket.tries >= maxTries) return null
    return { key, state: JSON.parse(ticket.data) }
  }

  /** Counts an attempt before it is verified. @returns The attempts after it; `null` if it is not allowed. */
  async countTry(key: TicketKey, { tickets }: Pick<Store, 'tickets'>): Promise<number | null> {
    const tries = await requireTickets(tickets).countTry(key)
    return tries === null || tries > maxTries ? null : maxTries - tries
  }

  /** Takes back an attempt that did not fail. Without `putTicket`, it counts. */
  async refundTry(key: TicketKey, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
    const ticket = await requireTickets(tickets).read(key)
    if (ticket) await requireTickets(tickets).put?.({ ...ticket, tries: ticket.tries - 1 }, ticket)
  }

  /** Ends a sign-in after its last attempt, or because its user does not go on. */
  async end(key: TicketKey, { tickets }: Pick<Store, 'tickets'>): Promise<void> {
    await requireTickets(tickets).consume(key)
  }

  /** The removal of the cookie; nothing if the request does not contain it. */
  clearIn(cookies: RequestCookies): SetCookies {
    return this.#cookie.clearIn(cookies)
  }

  clear(): SetCookies {
    return this.#cookie.clear()
  }
}

function requireTickets(tickets: TicketStore | null): TicketStore {
  if (!tickets) throw new TypeError('expected an adapter that stores tickets')
  return tickets
}
