import type { TicketKey } from '@postern/core/feature'
import type { TicketKind } from '../ticket-kinds.ts'
import { hashText } from './email/hash-text.ts'

/** The key of the ticket of a user, who has at most one of its kind. It is the same after the secret was replaced. */
export const toUserKey = ({ name }: TicketKind, userId: string): TicketKey => ({ kind: name, id: hashText(userId) })
