import {
  type AdapterUser,
  type FeatureContext,
  type FeatureWrite,
  isSameEmailAddress,
  type PlanChange,
  type RequestInfo,
  type TicketKey
} from '@postern/core/feature'
import { notifyUser } from '../../notify-user.ts'
import type { ChangeAccess } from '../change-access.ts'
import { toRequestInfo } from '../stored-request.ts'
import { isTaken } from './email-address.ts'
import { cancelWaiting, readWaiting, type WaitingChange, waitingKey } from './waiting-change.ts'

/** What happened to a change. */
export type Outcome = 'changed' | 'gone' | 'taken'

/** Why there is no change. */
type Refusal = Exclude<Outcome, 'changed'>

/** A change that may be made: its new address is proven, and nothing more is needed for it. */
interface AllowedChange {
  readonly userId: string
  readonly email: string
  /** The address that the user must still have. */
  readonly from: string | null
  /** It allows the change once. */
  readonly ticket: TicketKey
  readonly request: RequestInfo
  /** Whether the change is still the one that was read. @defaultValue it is */
  readonly isCurrent?: () => Promise<boolean>
  readonly changeAccess: ChangeAccess<Refusal>
  /** Writes that belong to the change. @defaultValue none */
  readonly more?: readonly FeatureWrite[]
}

/** The writes of a change. An address that was only not verified before is the same: no session ends. */
function createPlan(
  { userId, email, from, ticket, request, isCurrent = async () => true, more = [] }: AllowedChange,
  context: FeatureContext
): PlanChange<Refusal> {
  const isSame = isSameEmailAddress(from, email)
  return async ({ user }) => {
    if (!user || user.email !== from || !(await isCurrent()) || !(await context.tickets.read(ticket))) return 'gone'
    if (await isTaken(email, userId, context)) return 'taken'
    const event = context.createEvent(isSame ? 'email-verified' : 'email-changed', { userId, request })
    return {
      ends: isSame ? 'token' : 'others',
      writes: [
        { method: 'consumeTicket', args: [ticket] },
        { method: 'requireAddress', args: [userId, from] },
        { method: 'updateUser', args: [{ id: userId, email, emailVerified: new Date(context.now()) }] },
        { method: 'deleteRequests', args: [userId] },
        { method: 'addEvents', args: [[event]] },
        ...more
      ]
    }
  }
}

function notify(user: AdapterUser, { email, request }: AllowedChange, context: FeatureContext): void {
  if (isSameEmailAddress(user.email, email)) return
  const confirmed = { email, emailVerified: new Date(context.now()) }
  notifyUser('email-changed', user, { user, request }, context)
  notifyUser('email-confirmed', confirmed, { user, request, path: '/account' }, context)
}

/** Changes the address of a user, exactly once. */
export async function applyChange(change: AllowedChange, context: FeatureContext): Promise<Outcome> {
  const user = await context.users.getUser(change.userId)
  const outcome = await change.changeAccess(createPlan(change, context))
  if (outcome === 'changed' && user) notify(user, change, context)
  // A store may refuse an address that it does not find, such as with an index that ignores accents.
  return outcome === 'conflict' ? 'taken' : outcome
}

/** Ends a change that cannot be made. If another user has the address, the owner learns why. */
async function endWaiting(
  { userId, askedBy }: WaitingChange,
  outcome: Refusal,
  context: FeatureContext
): Promise<void> {
  const request = toRequestInfo(askedBy, context)
  const isEnded = await context.commit(cancelWaiting({ userId }, request, context))
  const user = isEnded && outcome === 'taken' ? await context.users.getUser(userId) : null
  if (user) notifyUser('email-unchanged', user, { user, request }, context)
}

/** Makes a waiting change, or ends it if it cannot be made. @param agreed - What differs if the owner has agreed to it. */
export async function applyWaiting(
  waiting: WaitingChange,
  context: FeatureContext,
  agreed: Partial<Pick<AllowedChange, 'changeAccess' | 'more' | 'request'>> = {}
): Promise<Outcome> {
  const { userId, askedBy, token } = waiting
  const isCurrent = async (): Promise<boolean> => (await readWaiting(userId, context))?.token === token
  const change: AllowedChange = {
    ...waiting,
    ticket: waitingKey(userId),
    request: toRequestInfo(askedBy, context),
    isCurrent,
    changeAccess: (plan) => context.changeAccess(userId, plan),
    ...agreed
  }
  const outcome = await applyChange(change, context)
  if (outcome !== 'changed' && (await isCurrent())) await endWaiting(waiting, outcome, context)
  return outcome
}

/** Makes the change of a user whose time has come. */
export async function applyIfDue(userId: string, context: FeatureContext): Promise<'done' | 'nothing'> {
  const waiting = await readWaiting(userId, context)
  if (!waiting || waiting.at > context.now()) return 'nothing'
  return (await applyWaiting(waiting, context)) === 'changed' ? 'done' : 'nothing'
}
