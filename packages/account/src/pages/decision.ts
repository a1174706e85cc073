import {
  type FeatureContext,
  type FeatureRequest,
  getText,
  type PlainScreen,
  type TicketKey
} from '@postern/core/feature'
import { createToken, isUsed } from '../mail/mailed-token.ts'
import { hiddenFields, toForm, toLinks } from '../plain-screen.ts'
import type { TicketKind } from '../ticket-kinds.ts'
import { hashText } from './email/hash-text.ts'

// What waits for the owner of an address, who gets a link. Its page shows what waits, and a form confirms or cancels it.

/** What the owner of an address decides on the page of a mailed link. */
export type Decision = 'confirm' | 'cancel'

/** The values of a page on which the owner of an address decides. */
export interface DecisionProps {
  /** Of the form with `token` and `decision`: `confirm` or `cancel`. */
  readonly action: string
  readonly token: string
  /** Whether the page without a renderer has the form that cancels. */
  readonly isCancellation: boolean
}

export const toDecisionProps = ({ basePath, query }: FeatureRequest, path: string, token: string): DecisionProps => ({
  action: `${basePath}${path}`,
  token,
  isCancellation: getText(query, 'decision') === 'cancel'
})

/** The page without a renderer: it has one form, and a link to the page with the other one. */
export function toPlainDecision(
  { action, token, isCancellation }: DecisionProps,
  labels: Readonly<Record<Decision, string>>
): Pick<PlainScreen, 'form' | 'links'> {
  const decision = isCancellation ? 'cancel' : 'confirm'
  const cancelUrl = `${action}?${new URLSearchParams({ token, decision: 'cancel' })}`
  return {
    links: toLinks([labels.cancel, isCancellation ? null : cancelUrl]),
    ...toForm(action, labels[decision], hiddenFields({ token, decision }))
  }
}

/** A link to decide on what waits, and the hash of its secret, which is stored with it. */
interface DecisionLink {
  readonly url: string
  readonly hash: string
}

export function createDecisionLink(
  { id }: TicketKey,
  path: string,
  { origin, basePath }: FeatureRequest,
  context: FeatureContext
): DecisionLink {
  const secret = createToken(context)
  return { url: `${origin}${basePath}${path}?token=${id}${secret}`, hash: hashText(secret) }
}

/** The token of a link names the ticket, and proves the mailbox. @returns `null` if it cannot be one. */
export function parseToken(token: string): { readonly id: string; readonly hash: string } | null {
  return /^[\w-]{86}$/.test(token) ? { id: token.slice(0, 43), hash: hashText(token.slice(43)) } : null
}

/** @returns What a link decides on; `null` if it is over, or if the token is unknown. */
export async function readByToken<T extends { readonly token?: string }>(
  kind: TicketKind,
  token: string,
  { tickets }: FeatureContext
): Promise<T | null> {
  const parsed = parseToken(token)
  const ticket = parsed && (await tickets.read({ kind: kind.name, id: parsed.id }))
  const waiting: T | null = ticket && JSON.parse(ticket.data)
  // Hashes of random text: the time of the comparison says nothing about it.
  return parsed && waiting?.token === parsed.hash ? waiting : null
}

/** The id under which a link is known to have done something. */
export const getOutcomeId = (outcome: string, hash: string): string => hashText(`${outcome} ${hash}`)

/** Whether a link has done something, so that a second click says so. */
export async function hadOutcome(outcome: string, token: string, context: FeatureContext): Promise<boolean> {
  const parsed = parseToken(token)
  return parsed !== null && isUsed([getOutcomeId(outcome, parsed.hash)], context)
}
