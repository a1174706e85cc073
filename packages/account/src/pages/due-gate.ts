import type { AuthError, FeatureContext, Interruption, TicketKey } from '@postern/core/feature'

/** What is done at a sign-in of its user, if it is due then. */
export interface DueTask {
  /** The key of the ticket that says when it is due. */
  readonly getKey: (userId: string) => TicketKey
  /** Does it if it is due. @returns Whether it was, so that what the sign-in has proven is void. */
  readonly runIfDue: (userId: string) => Promise<boolean>
  readonly createError: (userId: string) => AuthError
}

const refuseWithoutPage = (): never => {
  throw new TypeError('expected no page: the sign-in was refused')
}

/** Refuses a sign-in that has proven what is void since something was due. It comes before others, which could send the user to a page. */
export function createDueGate(tasks: readonly DueTask[], context: FeatureContext): Interruption {
  return {
    id: 'due',
    order: 50,
    isDue: async ({ user, isNewUser }) => {
      if (isNewUser) return false
      // At once: nearly every user has none of them.
      const found = await context.tickets.readAll(tasks.map(({ getKey }) => getKey(user.id)))
      for (const { runIfDue, createError } of tasks.filter((_, index) => found[index]))
        if (await runIfDue(user.id)) throw createError(user.id)
      return false
    },
    show: refuseWithoutPage,
    verify: refuseWithoutPage
  }
}
