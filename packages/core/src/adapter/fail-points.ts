import type { Store } from './store.ts'

/** Moments of a sign-in, between one write and the next. */
export const failPoints = [
  'before-consume',
  'after-consume',
  'after-user',
  'after-account',
  'after-session',
  'before-commit',
  'after-commit',
  'before-answer'
] as const

export type FailPoint = (typeof failPoints)[number]

/** Passes a moment; where it was asked for, the process ends there. */
export type Pass = (point: FailPoint) => void

export function isFailPoint(name: string): name is FailPoint {
  return failPoints.some((point) => point === name)
}

/** A store that passes a moment before and after what a sign-in writes. */
export function withFailPoints(store: Store, pass: Pass): Store {
  const { createUserWithAccount, atomically } = store
  const after = async <T>(work: Promise<T>, point: FailPoint): Promise<T> => {
    const answer = await work
    pass(point)
    return answer
  }
  return {
    ...store,
    createUser: (user) => after(store.createUser(user), 'after-user'),
    linkAccount: (account) => after(store.linkAccount(account), 'after-account'),
    createUserWithAccount:
      createUserWithAccount && ((user, account) => after(createUserWithAccount(user, account), 'after-account')),
    createSession: (session, record) => after(store.createSession(session, record), 'after-session'),
    useVerificationToken: (key) => {
      pass('before-consume')
      return after(store.useVerificationToken(key), 'after-consume')
    },
    atomically:
      atomically &&
      ((calls) => {
        pass('before-commit')
        return after(atomically(calls), 'after-commit')
      })
  }
}
