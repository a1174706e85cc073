import type { AuthError, FeatureContext, Interruption, TicketKey } from '@postern/core/feature'

/** What a sign-in must not come before. */
export interface DueWork {
  /** The key of the ticket that says when it is due. */
  readonly getKey: (userId: string) => TicketKey
  /** Does it if it is due. @returns Whether it was, so that what the sign-in has proven is void. */
  readonly runIfDue: (userId: string) => Promise<boolean>
  readonly createError: (userId: string) => AuthError
}

/**
 * Refuses a sign-in that has proven what is void since something was due. It comes before others, which could send the user to a page.
 *
 * @param works - Nearly every user has none of them: their tickets are read together.
 */
export function createDueGate(works: readonly DueWork[], context: FeatureContext): Interruption {
  const hasNoPage = (): never => {
    throw new TypeError('expected no page: the sign-in was refused')
  }
  return {
    id: 'due',
    order: 50,
    isDue: async ({ user, isNewUser }) => {
      if (isNewUser) return false
      const found = await context.tickets.readAll(works.map(({ getKey }) => getKey(user.id)))
      for (const { runIfDue, createError } of works.filter((_, index) => found[index]))
        if (await runIfDue(user.id)) throw createError(user.id)
      return false
    },
    show: hasNoPage,
    verify: hasNoPage
  }
}
