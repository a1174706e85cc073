import { json } from '../http/action-result.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import type { Run } from './route.ts'

/** Lists the providers, by id. */
export const listProviders: Run = async (_request, { providers, base }) => {
  const rows = [...providers.values()].map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: signinUrlAt(base, id), callbackUrl: redirectUriAt(base, id) }
  ])
  return json(Object.fromEntries(rows))
}
