import { changeAccess, toStoredUser, toUserState } from '../accounts/change-access.ts'
import { commitWrites, type FeatureWrite, type StoreWrite } from '../accounts/commit-writes.ts'
import type { EventStore, FactorStore, Store, TicketStore } from '../adapter/store.ts'
import type { Ticket } from '../adapter/ticket.ts'
import { withTimeout } from '../errors/user-code.ts'
import type { FeatureCall } from '../hooks/security-event.ts'
import type { Logger } from '../model/logger.ts'
import type { RateLimiter } from '../model/rate-limiter.ts'
import type { Runtime } from '../model/runtime.ts'
import type { UserVersions } from '../sessions/user-versions.ts'
import { equalInConstantTime, keyedHash, keyedHashes } from '../tokens/hash.ts'
import { decryptText, encryptText } from '../tokens/jwe.ts'
import { type KeyRing, keyRing } from '../tokens/keys.ts'
import { createEvent } from './create-event.ts'
import { EncryptedCookie } from './encrypted-cookie.ts'
import type { FeatureApis, FeatureContext, FeatureCookieOptions, ProviderInfo, RegisteredSection } from './feature.ts'
import type { SendFeatureMail } from './feature-mailer.ts'
import { movePage } from './moved-pages.ts'
import type { NoticeQueue } from './notice-queue.ts'
import { consumeLimit, consumeUserLimit } from './user-limit.ts'
import type { UserOperations } from './user-operations.ts'

/** The services of a registration that features use. */
export interface FeatureServices {
  readonly store: Store | null
  readonly secrets: readonly string[]
  readonly applicationId: string
  /** The time limit of the application's functions, in milliseconds. */
  readonly callbackTimeout: number
  readonly basePath: string
  readonly pathPrefix: string
  readonly accountPath: string | null
  readonly origin: string | null
  readonly limiter: RateLimiter | null
  readonly accountSections: readonly RegisteredSection[]
  readonly apis: Readonly<Partial<FeatureApis>>
  readonly eventTypes: FeatureContext['eventTypes']
  /** Seconds. */
  readonly eventMaxAge: number
  readonly sendMail: SendFeatureMail
  readonly notices: NoticeQueue
  readonly accountPage: string | null
  readonly operations: UserOperations
  readonly providers: readonly ProviderInfo[]
  readonly canSendMail: boolean
  readonly userVersions: UserVersions
  readonly countWaysIn: (userId: string) => Promise<number>
  readonly endSessions: (userId: string) => Promise<void>
  /** The kinds of tickets, as the store names them, that are deleted when the address of a user changes. */
  readonly addressRequests: readonly string[]
  readonly logger: Logger
  readonly runtime: Pick<Runtime, 'now' | 'randomBytes'>
}

/** The context of a feature, and the function that connects it to the services of the registration. */
export interface ConnectableContext {
  readonly context: FeatureContext
  readonly connect: (services: FeatureServices) => void
}

/** The tickets of the store that features received copies of: a replacement expects the one of the store. */
const originals = new WeakMap<Ticket, Ticket>()

/** The arguments of a replacement, with the names of the store. */
function toStoredPut(id: string, ticket: Ticket, expected: Ticket | null): [ticket: Ticket, expected: Ticket | null] {
  const own = (one: Ticket): Ticket => ({ ...one, kind: storedTicketKind(id, one.kind) })
  return [own(ticket), expected && (originals.get(expected) ?? own(expected))]
}

/** Separates the tickets of a feature from those of all others, and hides expired ones. */
function ownTickets(id: string, tickets: TicketStore, now: () => number): TicketStore {
  const own = (kind: string): string => storedTicketKind(id, kind)
  const current = (ticket: Ticket | null): Ticket | null => {
    if (!ticket || ticket.expires.getTime() <= now()) return null
    const copy = { ...ticket, kind: ticket.kind.slice(id.length + 1) }
    originals.set(copy, ticket)
    return copy
  }
  const { put, listDue } = tickets
  return {
    create: (ticket) => tickets.create({ ...ticket, kind: own(ticket.kind) }),
    read: async (key) => current(await tickets.read({ ...key, kind: own(key.kind) })),
    readsAtOnce: tickets.readsAtOnce,
    readAll: async (keys) => (await tickets.readAll(keys.map((key) => ({ ...key, kind: own(key.kind) })))).map(current),
    countTry: (key) => tickets.countTry({ ...key, kind: own(key.kind) }),
    consume: async (key) => current(await tickets.consume({ ...key, kind: own(key.kind) })),
    put: put && ((ticket, expected) => put(...toStoredPut(id, ticket, expected))),
    listDue:
      listDue &&
      (async (kind, at, max) => (await listDue(own(kind), at, max)).map(current).filter((ticket) => ticket !== null)),
    delete: async (userId, kind) => {
      // Without a kind, the tickets of every feature would be deleted.
      if (kind === undefined) throw new TypeError(`features.${id}: expected the kind of the tickets to delete`)
      await tickets.delete(userId, own(kind))
    }
  }
}

/** @returns The kind of a feature's ticket in the store. */
export function storedTicketKind(featureId: string, kind: string): string {
  return `${featureId}.${kind}`
}

/** Separates the tickets of a feature from those of all others. */
export function toStoredCall(id: string, call: FeatureCall): FeatureCall {
  switch (call.method) {
    case 'createTicket':
      return { ...call, args: [{ ...call.args[0], kind: storedTicketKind(id, call.args[0].kind) }] }
    case 'putTicket':
      return { ...call, args: toStoredPut(id, ...call.args) }
    case 'consumeTicket':
      return { ...call, args: [{ ...call.args[0], kind: storedTicketKind(id, call.args[0].kind) }] }
    case 'deleteTickets': {
      const [userId, kind] = call.args
      if (kind === undefined) throw new TypeError(`features.${id}: expected the kind of the tickets to delete`)
      return { ...call, args: [userId, storedTicketKind(id, kind)] }
    }
    default:
      return call
  }
}

/**
 * Converts a write of a feature to those of the store.
 *
 * @param addressRequests - The kinds of tickets, as the store names them, that are deleted when the address of a user changes.
 */
export function toStoreWrites(
  id: string,
  write: FeatureWrite,
  addressRequests: readonly string[]
): readonly StoreWrite[] {
  switch (write.method) {
    case 'deleteRequests':
      return addressRequests.map((kind) => ({
        method: 'deleteTickets',
        args: [write.args[0], kind]
      }))
    case 'updateUser':
    case 'unlinkAccount':
    case 'requireAddress':
      return [write]
    default:
      return [toStoredCall(id, write)]
  }
}

/** The context of a feature. Its members can be used from the first request on. */
class OwnContext implements FeatureContext {
  readonly id: string
  readonly #rings = new Map<string, KeyRing>()
  #connected: FeatureServices | null = null

  constructor(id: string) {
    this.id = id
  }

  /** No method of the context: features receive it. */
  static connect(context: OwnContext, services: FeatureServices): void {
    context.#connected = services
  }

  get #services(): FeatureServices {
    if (this.#connected) return this.#connected
    throw new TypeError(`features.${this.id}: the context can be used from the first request on, not in setup`)
  }

  /** @throws TypeError if the adapter lacks it, and the feature did not say that it needs it. */
  #requireStore<K extends 'tickets' | 'factors' | 'events' | 'versions'>(name: K): NonNullable<Store[K]> {
    const found = this.#services.store?.[name]
    if (found) return found
    throw new TypeError(`features.${this.id}: the adapter does not store ${name}; name its methods in needs`)
  }

  #ring(purpose: string): KeyRing {
    const known = this.#rings.get(purpose) ?? keyRing(this.#services.secrets, `feature ${this.id} ${purpose}`)
    this.#rings.set(purpose, known)
    return known
  }

  #encryptedCookie(
    name: string,
    { maxAge, hasHostPrefix = false }: FeatureCookieOptions,
    hasSecureCookies: boolean
  ): EncryptedCookie {
    const { applicationId, accountPath, basePath, pathPrefix, runtime } = this.#services
    // The cookies of moved pages are also for the routes below the base path.
    const path = accountPath === null ? basePath : pathPrefix || '/'
    const keys = this.#ring(`cookie ${name}`)
    const site = { applicationId, hasSecureCookies, now: runtime.now }
    return new EncryptedCookie({ name: `${this.id}.${name}`, path, hasHostPrefix, maxAge, keys }, site)
  }

  get applicationId(): string {
    return this.#services.applicationId
  }

  get basePath(): string {
    return this.#services.basePath
  }

  getPagePath(path: string): string {
    const { accountPath, basePath, pathPrefix } = this.#services
    return accountPath === null ? basePath + path : pathPrefix + movePage(path, accountPath)
  }

  get origin(): string | null {
    return this.#services.origin
  }

  get logger(): Logger {
    return this.#services.logger
  }

  get users(): Store {
    const { store } = this.#services
    if (store) return store
    throw new TypeError(`features.${this.id}: expected an adapter; name the methods in needs`)
  }

  hasStore(name: 'tickets' | 'factors' | 'events'): boolean {
    return Boolean(this.#services.store?.[name])
  }

  get tickets(): TicketStore {
    return ownTickets(this.id, this.#requireStore('tickets'), this.#services.runtime.now)
  }

  get factors(): FactorStore {
    return this.#requireStore('factors')
  }

  get events(): EventStore {
    return this.#requireStore('events')
  }

  get eventTypes(): FeatureContext['eventTypes'] {
    return this.#services.eventTypes
  }

  get eventMaxAge(): number {
    return this.#services.eventMaxAge
  }

  get features(): Readonly<Partial<FeatureApis>> {
    return this.#services.apis
  }

  get canSendMail(): boolean {
    return this.#services.canSendMail
  }

  get postern(): UserOperations {
    return this.#services.operations
  }

  get accountPage(): string | null {
    return this.#services.accountPage
  }

  get providers(): readonly ProviderInfo[] {
    return this.#services.providers
  }

  // Features destructure the context, so these are no methods.
  readonly #toStored = (write: FeatureWrite): readonly StoreWrite[] =>
    toStoreWrites(this.id, write, this.#services.addressRequests)
  readonly now: FeatureContext['now'] = () => this.#services.runtime.now()
  readonly randomBytes: FeatureContext['randomBytes'] = (size) => this.#services.runtime.randomBytes(size)
  readonly withLease: FeatureContext['withLease'] = (name, work) => {
    const { store, applicationId } = this.#services
    return store?.withLease ? store.withLease(`feature ${this.id} ${applicationId} ${name}`, work) : work()
  }
  readonly createEvent: FeatureContext['createEvent'] = (type, about) =>
    createEvent(type, about, this.#services.runtime)
  /** The secrets are read with each call: a feature may create its keys in `setup`. */
  readonly key: FeatureContext['key'] = (purpose) => ({
    encrypt: async (text) => encryptText(this.#ring(purpose), text),
    decrypt: async (text) => decryptText(this.#ring(purpose), text),
    hash: (text) => keyedHash(this.#ring(purpose), text),
    hashes: async (text) => keyedHashes(this.#ring(purpose), text),
    verify: async (text, hash) =>
      (await keyedHashes(this.#ring(purpose), text)).some((known) => equalInConstantTime(known, hash))
  })
  /** The services are read with each request: a feature may create its cookies in `setup`. */
  readonly cookie: FeatureContext['cookie'] = (name, options) => ({
    read: ({ cookies, hasSecureCookies }) => this.#encryptedCookie(name, options, hasSecureCookies).read(cookies),
    create: (value, { hasSecureCookies }) => this.#encryptedCookie(name, options, hasSecureCookies).create(value),
    clear: ({ hasSecureCookies }) => this.#encryptedCookie(name, options, hasSecureCookies).clear()
  })
  readonly withTimeout: FeatureContext['withTimeout'] = async (name, call) =>
    withTimeout(`features.${this.id}: ${name}`, call(), this.#services.callbackTimeout)
  readonly accountSections: FeatureContext['accountSections'] = () => this.#services.accountSections
  readonly countWaysIn: FeatureContext['countWaysIn'] = (userId) => this.#services.countWaysIn(userId)
  readonly sendMail: FeatureContext['sendMail'] = (to, name, values, options = {}) =>
    this.#services.sendMail(`${this.id}/${name}`, to, values, options)
  readonly notify: FeatureContext['notify'] = (to, name, values, options = {}) => {
    const { notices, sendMail } = this.#services
    const mail = `${this.id}/${name}`
    const ref = options.request?.id ?? null
    notices.add({ name: mail, ref, send: () => sendMail(mail, to, values, options) })
  }
  readonly commit: FeatureContext['commit'] = async (writes) => commitWrites(writes.flatMap(this.#toStored), this.users)
  readonly endSessions: FeatureContext['endSessions'] = (userId) => this.#services.endSessions(userId)
  readonly findUser: FeatureContext['findUser'] = async (by) => {
    this.#requireStore('versions')
    const found = await this.users.findUser(by)
    return found && toStoredUser(found.user, found.version)
  }
  readonly readVersion: FeatureContext['readVersion'] = async (userId) => {
    const { user: _, ...state } = toUserState(null, await this.#requireStore('versions').get(userId))
    return state
  }
  readonly changeAccess: FeatureContext['changeAccess'] = async (userId, plan) => {
    const outcome = await changeAccess({ userId }, plan, this.#toStored, this.#services.userVersions)
    return outcome.kind === 'changed' ? outcome.kind : outcome.reason
  }
  readonly limit: FeatureContext['limit'] = async (name, subject, rule) =>
    consumeLimit(`${this.id} ${name} ${subject}`, rule, this.#services.limiter)
  readonly limitUser: FeatureContext['limitUser'] = (name, user, rule) =>
    consumeUserLimit(user, rule, (counter, subject, counted) => this.limit(`${name}${counter}`, subject, counted))
}

/**
 * Creates the context of a feature. It is created before the services, so that every configuration error is reported
 * together.
 */
export function createFeatureContext(id: string): ConnectableContext {
  const context = new OwnContext(id)
  return { context, connect: (services) => OwnContext.connect(context, services) }
}
