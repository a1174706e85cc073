import { withTimeLimit } from '../errors/user-code.ts'
import { parseAmr } from '../model/authentication.ts'
import type { CredentialField } from '../model/page.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import { plainTraits } from '../model/provider-traits.ts'
import { describeType } from '../schema/schema.ts'
import { boundFunction, isPlain } from './merge.ts'
import type { ProviderContext, ProviderDraft } from './provider-draft.ts'
import { type IdentifierFields, resolveIdentifierFields } from './resolve-identifier-fields.ts'

type Authorize = CredentialsProvider['authorize']

const isAuthorize = (value: unknown): value is Authorize => typeof value === 'function'

function createField(name: string, input: Readonly<Record<string, unknown>>): CredentialField {
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

/** If the limits must guess the field with the username, or cannot find it, they may count another field. */
function warnOfIdentifier({ warn }: ProviderDraft, { isIdentifierGuessed, identifierField }: IdentifierFields): void {
  if (!isIdentifierGuessed) return
  const effect =
    identifierField === null ? 'the password limits count clients only' : `the password limits count ${identifierField}`
  warn('identifier', `${effect}; name the field with the username, or write autocomplete: 'username' there`)
}

/** Resolves a credentials provider: its form, and the application's `authorize`. */
export function resolveCredentials(
  draft: ProviderDraft,
  { callbackTimeout, hasRateLimits }: ProviderContext
): CredentialsProvider {
  const { id, name, merged, note } = draft
  const { amr, authorize, credentials, normalizeIdentifier } = merged
  if (!isAuthorize(authorize))
    note(
      'authorize',
      authorize === undefined ? 'OPTION_MISSING' : 'INVALID_TYPE',
      `expected a function that returns a user or null, got ${describeType(authorize, 'a string')}`
    )
  const inputs = isPlain(credentials) ? Object.entries(credentials) : []
  for (const [field, input] of inputs)
    if (!isPlain(input))
      note(
        `credentials.${field}`,
        'INVALID_TYPE',
        `expected an object like {label, type}, got ${describeType(input, 'a string')}`
      )
  const fields = inputs.map(([field, input]) => createField(field, isPlain(input) ? input : {}))
  const identifierFields = resolveIdentifierFields(draft, fields)
  if (hasRateLimits) warnOfIdentifier(draft, identifierFields)
  return {
    kind: 'credentials',
    traits: {
      ...plainTraits,
      accountPolicy: 'application',
      callbackMethods: ['POST'],
      form: { type: 'credentials', fields, identifier: identifierFields.identifierField },
      startsAtCallback: true
    },
    type: 'credentials',
    id,
    name,
    fields,
    amr: Array.isArray(amr) ? parseAmr(amr) : fields.some(({ type }) => type === 'password') ? ['pwd'] : [],
    ...identifierFields,
    normalizeIdentifier: boundFunction(normalizeIdentifier, merged),
    authorize: isAuthorize(authorize)
      ? withTimeLimit(`providers.${id}.authorize`, authorize.bind(merged), callbackTimeout)
      : () => null
  }
}
