import type { AuthError, Interruption } from '@postern/core/feature'

/** What a sign-in must not come before. */
interface DueGate {
  readonly id: string
  readonly order: number
  /** Does what is due for a user. @returns Whether it was due. */
  readonly runIfDue: (userId: string) => Promise<boolean>
  readonly createError: (userId: string) => AuthError
}

/** Refuses a sign-in that has proven what is void since something was due. It comes before others, which could send the user to a page. */
export function createDueGate({ id, order, runIfDue, createError }: DueGate): Interruption {
  const refuse = (userId: string): never => {
    throw createError(userId)
  }
  return {
    id,
    order,
    isDue: async ({ user, isNewUser }) => !isNewUser && (await runIfDue(user.id)) && refuse(user.id),
    show: ({ user }) => refuse(user.id),
    verify: ({ user }) => refuse(user.id)
  }
}
