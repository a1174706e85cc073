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
  const auth = registered.get(app.postern)
  if (!auth) throw new TypeError('expected an app that Postern is registered in')
  const cookies = await auth.openSession(user, origin)
  return Object.fromEntries([...cookies].map(([name, { value }]) => [name, value]))
}
