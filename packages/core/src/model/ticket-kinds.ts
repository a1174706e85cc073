/** A kind of tickets of the core. Those of a feature have its id before their name, and are its own. */
export interface TicketKind {
  /** As the store names it. */
  readonly name: string
  /** The file that writes it, and the file that consumes it. */
  readonly owner: string
  readonly consumer: string
  /** Seconds; `null` if the application states it. */
  readonly lifetime: number | null
  /** The changes of its user that delete it. Suspending or deleting the user deletes all. */
  readonly endsWith: readonly ('address' | 'sessions')[]
}

export const ticketKinds: {
  readonly pendingSignIn: TicketKind & { readonly lifetime: number }
  readonly invitation: TicketKind
  readonly oneTimeToken: TicketKind
} = {
  /** A sign-in that is not complete. */
  pendingSignIn: {
    name: 'pending-sign-in',
    owner: 'features/interrupted-sign-ins.ts',
    consumer: 'sign-in-methods/one-time-token.ts',
    lifetime: 600,
    endsWith: ['address', 'sessions']
  },
  /** The next person who proves the address joins the user. */
  invitation: {
    name: 'invitation',
    owner: 'accounts/invitation.ts',
    consumer: 'accounts/apply-plan.ts',
    lifetime: null,
    endsWith: ['address']
  },
  /** A token of the application. The name is followed by a hash of its purpose. */
  oneTimeToken: {
    name: 'one-time-token',
    owner: 'api/one-time-tokens.ts',
    consumer: 'api/one-time-tokens.ts',
    lifetime: null,
    endsWith: []
  }
}

/** @returns The names of the kinds that a change of the user deletes. */
export function listKindsThatEndWith(change: 'address' | 'sessions'): readonly string[] {
  return Object.values(ticketKinds)
    .filter(({ endsWith }) => endsWith.includes(change))
    .map(({ name }) => name)
}
