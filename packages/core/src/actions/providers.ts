import { json } from '../http/outcome.ts'
import type { Run } from './row.ts'

/** The ways to sign in, by id. */
export const listProviders: Run = async (_request, { providers, base }) => {
  const rows = [...providers.values()].map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }
  ])
  return json(Object.fromEntries(rows))
}
