import type { FeatureRequest, Ticket, TicketKey, User } from '@postern/core/feature'
import { ticketKinds } from '../ticket-kinds.ts'
import { type AuthenticatorKey, describeKey } from './authenticator-key.ts'
import { createQrCode, type QrCode } from './qr-code.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import { createSecret, createTotpData, toSecret } from './stored-totp.ts'
import { findStep, parseCode } from './totp.ts'

export const enrollmentKey = (id: string): TicketKey => ({ kind: ticketKinds.enroll.name, id })

/** A secret that a code has confirmed. */
interface ConfirmedEnrollment {
  readonly totp: string
  readonly recoveryCodes: string
  /** The address whose mailbox was proven by a mailed code; `null` if none was needed. */
  readonly provenAddress: string | null
}

/** A secret that waits until it is confirmed by a code. */
export interface Enrollment {
  readonly id: string
  readonly secret: string
  /** The address of the user when the mailed code was right; `null` before. */
  readonly provenEmail: string | null
  /** What is created once the user has seen the recovery codes; `null` before a code has confirmed the secret. */
  readonly confirmed: ConfirmedEnrollment | null
}

function parse({ id, data }: Ticket): Enrollment {
  const state: Omit<Enrollment, 'id'> = JSON.parse(data)
  return { id, ...state }
}

/** Stores the secret in an encrypted ticket. @param userId - `null` for a user who does not exist yet. */
export async function saveEnrollment(
  { id, ...state }: Enrollment,
  userId: string | null,
  { context: { tickets, now } }: SecondFactorSetup
): Promise<void> {
  const expires = new Date(now() + ticketKinds.enroll.lifetime * 1000)
  await tickets.create({ ...enrollmentKey(id), userId, data: JSON.stringify(state), tries: 0, expires })
}

export const newEnrollment = (id: string, { context }: SecondFactorSetup): Enrollment => ({
  id,
  secret: createSecret(context.randomBytes),
  provenEmail: null,
  confirmed: null
})

export async function readEnrollment(id: string, { context }: SecondFactorSetup): Promise<Enrollment | null> {
  const ticket = await context.tickets.read(enrollmentKey(id))
  return ticket && parse(ticket)
}

/** Uses up an enrollment. @returns `null` if another request was faster, or it has expired. */
export async function consumeEnrollment(id: string, { context }: SecondFactorSetup): Promise<Enrollment | null> {
  const ticket = await context.tickets.consume(enrollmentKey(id))
  return ticket && parse(ticket)
}

/** @returns The data of the factor, if the typed code is one of the secret; otherwise `null`. */
export async function confirm(
  { secret }: Enrollment,
  typed: string,
  { context }: SecondFactorSetup
): Promise<string | null> {
  const code = parseCode(typed)
  const step = code === null ? null : await findStep(toSecret({ secret }), code, context.now())
  return step === null ? null : createTotpData(secret, step)
}

/** What an authenticator app needs. */
export interface ShownKey extends AuthenticatorKey {
  readonly qrCode: QrCode
}

export async function showKey(
  { secret }: Enrollment,
  user: Pick<User, 'name' | 'email'>,
  { siteName }: Pick<FeatureRequest, 'siteName'>,
  { issuer }: SecondFactorSetup
): Promise<ShownKey> {
  const name = issuer ?? siteName
  const key = describeKey(toSecret({ secret }).bytes, { issuer: name, account: user.email ?? user.name ?? name })
  return { ...key, qrCode: await createQrCode(key.url) }
}
