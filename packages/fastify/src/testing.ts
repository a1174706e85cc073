import type { User } from '@postern/core'
import type { FastifyInstance } from 'fastify'
import { registered } from './registered.ts'

/**
 * Signs a user in without any proof, for tests.
 *
 * With database sessions the user must be in the store.
 *
 * @param origin - The origin that the test asks at. @defaultValue that of `inject`
 * @returns Cookies for `inject({ cookies })`.
 */
export async function signInAs(
  app: FastifyInstance,
  user: User,
  origin: string = 'http://localhost:80'
): Promise<Record<string, string>> {
  await app.ready()
  const auth = app.postern && registered.get(app.postern)
  if (!auth) throw new TypeError('signInAs: expected an app that Postern is registered in')
  if (typeof user?.id !== 'string' || user.id === '')
    throw new TypeError("signInAs: expected a user with an id that is a text, as { id: '1', name: 'Ada' }")
  const cookies = await auth.openSession(user, origin)
  return Object.fromEntries([...cookies].map(([name, { value }]) => [name, value]))
}
