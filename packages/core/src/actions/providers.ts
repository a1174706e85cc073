import { json } from '../http/action-result.ts'
import { confirmationProviderId } from '../model/confirmation-provider.ts'
import { redirectUriAt, signinUrlAt } from '../redirects/redirect-uri.ts'
import type { Run } from './route.ts'

/** Lists the providers, by id. */
export const listProviders: Run = async (_request, { providers, base }) => {
  const listed = [...providers.values()].filter(({ id }) => id !== confirmationProviderId)
  const rows = listed.map(({ id, name, type }) => [
    id,
    { id, name, type, signinUrl: signinUrlAt(base, id), callbackUrl: redirectUriAt(base, id) }
  ])
  return json(Object.fromEntries(rows))
}
