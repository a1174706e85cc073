import type { User } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { instances } from './instances.ts'

/**
 * Signs a user in without verification, for tests.
 *
 * With database sessions, the user must exist in the store.
 *
 * @param origin - The origin of the test's requests. @defaultValue the origin of `inject`
 * @returns Cookies for `inject({ cookies })`.
 */
export async function signInAs(
  app: FastifyInstance,
  user: User,
  origin: string = 'http://localhost:80'
): Promise<Record<string, string>> {
  await app.ready()
  const auth = app.postern && instances.get(app.postern)
  if (!auth) throw new TypeError('signInAs: expected an app that Postern is registered in')
  if (typeof user?.id !== 'string' || user.id === '')
    throw new TypeError("signInAs: expected a user with an id that is a string, as { id: '1', name: 'Ada' }")
  const cookies = await auth.openSession(user, origin)
  return Object.fromEntries([...cookies].map(([name, { value }]) => [name, value]))
}
