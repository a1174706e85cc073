import { bounded } from '../errors/user-code.ts'
import type { CredentialField } from '../model/page.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import { told } from './kinds.ts'
import { isPlain } from './merge.ts'
import type { Draft, ProviderSurroundings } from './resolve-provider.ts'

type Authorize = CredentialsProvider['authorize']

const isAuthorize = (value: unknown): value is Authorize => typeof value === 'function'

function fieldOf(name: string, input: Readonly<Record<string, unknown>>): CredentialField {
  const { label, type, ...attributes } = input
  const usable = Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] =>
    ['string', 'number', 'boolean'].includes(typeof entry[1])
  )
  return {
    name,
    label: typeof label === 'string' ? label : name,
    type: typeof type === 'string' ? type : 'text',
    attributes: Object.fromEntries(usable)
  }
}

/** The form and the check of the application. */
export function resolveCredentials(
  { id, name, merged, note }: Draft,
  { callbackTimeout }: ProviderSurroundings
): CredentialsProvider {
  const { authorize, credentials } = merged
  if (!isAuthorize(authorize))
    note('authorize', `expected a function that returns a user or null, got ${told(authorize, 'text')}`)
  const fields = isPlain(credentials) ? Object.entries(credentials) : []
  for (const [field, input] of fields)
    if (!isPlain(input))
      note(`credentials.${field}`, `expected an object like {label, type}, got ${told(input, 'text')}`)
  return {
    kind: 'credentials',
    type: 'credentials',
    id,
    name,
    fields: fields.map(([field, input]) => fieldOf(field, isPlain(input) ? input : {})),
    authorize: isAuthorize(authorize)
      ? bounded(`providers.${id}.authorize`, authorize.bind(merged), callbackTimeout)
      : () => null
  }
}
