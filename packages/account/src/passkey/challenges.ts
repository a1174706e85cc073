import type { FeatureContext, FeatureRequest, FeatureWrite, SetCookies, Ticket } from '@postern/core/feature'
import { putTicket } from '../put-ticket.ts'
import { ticketKinds } from '../ticket-kinds.ts'

/** What a challenge was issued for. Another use is refused. */
export interface ChallengePurpose {
  readonly use: 'sign-in' | 'second-factor' | 'add' | 'sign-up'
  /** The user who adds a passkey, or uses one as a second factor; otherwise `null`. */
  readonly userId: string | null
  /** The user handle of the new passkey; empty for a passkey that exists. */
  readonly handle: string
}

/** A challenge that the browser was given. */
interface Challenge extends ChallengePurpose {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Seconds: half as long as the ticket of a used challenge, which must outlive it whatever the clock of another process says. */
export const maxAge: number = ticketKinds.challenge.lifetime / 2

/** The challenges of a browser, such as one for each tab; the oldest one is dropped. */
const maxChallenges = 8

const challengeCookie = ({ cookie }: FeatureContext) => cookie('challenge', { maxAge })

async function readChallenges(request: FeatureRequest, setup: FeatureContext): Promise<readonly Challenge[]> {
  const text = await challengeCookie(setup).read(request)
  const challenges: readonly Challenge[] = text === null ? [] : JSON.parse(text)
  return challenges.filter(({ expires }) => expires > setup.now())
}

/** Issues a challenge to this browser. It is kept in an encrypted cookie: nothing is stored. */
export async function issueChallenge(
  purpose: ChallengePurpose,
  request: FeatureRequest,
  setup: FeatureContext
): Promise<{ readonly value: string; readonly cookies: SetCookies }> {
  const value = Buffer.from(setup.randomBytes(32)).toString('base64url')
  const known = await readChallenges(request, setup)
  const all: readonly Challenge[] = [...known, { ...purpose, value, expires: setup.now() + maxAge * 1000 }]
  const cookies = await challengeCookie(setup).create(JSON.stringify(all.slice(-maxChallenges)), request)
  return { value, cookies }
}

/**
 * @returns The purpose of a challenge that this browser was given for this use; `null` for any other, and after its end.
 */
export async function findChallenge(
  value: string,
  { use, userId }: Pick<ChallengePurpose, 'use' | 'userId'>,
  request: FeatureRequest,
  setup: FeatureContext
): Promise<ChallengePurpose | null> {
  const challenges = await readChallenges(request, setup)
  return challenges.find((known) => known.value === value && known.use === use && known.userId === userId) ?? null
}

/** A challenge, and the context of the feature that has issued it, to which its ticket belongs. */
export interface IssuedChallenge {
  readonly value: string
  readonly context: FeatureContext
}

/** The ticket of a used challenge. */
function toTicket({ value, context }: IssuedChallenge): Ticket {
  const { name: kind, lifetime } = ticketKinds.challenge
  const expires = new Date(context.now() + lifetime * 1000)
  return { kind, id: value, userId: null, data: '', tries: 0, expires }
}

/**
 * Uses up a challenge: the first call creates its ticket, and every other one finds it.
 *
 * @returns Whether it was not used before.
 * @throws AuthError `StoreUnavailable`
 */
export function redeemChallenge(challenge: IssuedChallenge): Promise<boolean> {
  return putTicket(toTicket(challenge), null, challenge.context)
}

/**
 * Uses up a challenge together with another write.
 *
 * @returns `false` if it was used before, or the store refuses the other write. In a transaction nothing was written then.
 * @throws AuthError `StoreUnavailable`
 */
export function redeemChallengeWith(write: FeatureWrite, challenge: IssuedChallenge): Promise<boolean> {
  // In this order: without transactions, a process that is killed in between leaves a used challenge.
  return challenge.context.commit([{ method: 'putTicket', args: [toTicket(challenge), null] }, write])
}
