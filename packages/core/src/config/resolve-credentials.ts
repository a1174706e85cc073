import { withTimeLimit } from '../errors/user-code.ts'
import { parseAmr } from '../model/authentication.ts'
import type { CredentialField } from '../model/page.ts'
import type { CredentialsProvider } from '../model/provider.ts'
import { plainTraits } from '../model/provider-traits.ts'
import { describeType } from '../schema/schema.ts'
import { suggest } from '../schema/suggest.ts'
import { boundFunction, isPlain } from './merge.ts'
import type { ProviderContext, ProviderDraft } from './provider-draft.ts'

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

type IdentifierFields = Pick<CredentialsProvider, 'identifierField' | 'otherIdentifierFields' | 'isIdentifierGuessed'>

/**
 * Input types that cannot identify a user, even if the application marks them: each guess would count as another user.
 */
const refusedTypes: readonly string[] = ['button', 'checkbox', 'file', 'image', 'password', 'radio', 'reset', 'submit']

/** Input types that do not hold a username. Browsers render an unknown type as a text input. */
const otherTypes: readonly string[] = [
  ...refusedTypes,
  'color',
  'date',
  'datetime-local',
  'hidden',
  'month',
  'number',
  'range',
  'time',
  'week'
]

/** The autofill names of fields that hold something other than a username, whatever their type is. */
const secretTokens: readonly string[] = ['current-password', 'new-password', 'one-time-code']

/**
 * The usual names of username fields, for forms that do not describe their fields or mark the one with the username.
 */
const usualNames: readonly string[] = ['username', 'email', 'login', 'identifier']

/** Names that only username fields have. */
const distinctNames: readonly string[] = ['username', 'email']

/** Returns the autofill field name (HTML, "autofill detail tokens"): `username` for `section-a username webauthn`. */
function autofillField({ attributes }: CredentialField): string {
  const [, value] = Object.entries(attributes).find(([name]) => name.toLowerCase() === 'autocomplete') ?? []
  const tokens = String(value ?? '')
    .trim()
    .toLowerCase()
    .split(/\s+/)
  return (tokens.at(-1) === 'webauthn' ? tokens.at(-2) : tokens.at(-1)) ?? ''
}

function mayHoldUsername(field: CredentialField, excludedTypes: readonly string[]): boolean {
  return !excludedTypes.includes(field.type.trim().toLowerCase()) && !secretTokens.includes(autofillField(field))
}

/** @returns The field with the username, and whether it is a guess, because several fields or none may be the one. */
function findIdentifier(fields: readonly CredentialField[]) {
  const inputs = fields.filter((field) => mayHoldUsername(field, otherTypes))
  for (const token of distinctNames) {
    const marked = inputs.find((field) => autofillField(field) === token)
    if (marked) return { name: marked.name, isGuess: false }
  }
  // A username may be a number or a date: the usual names apply to each type that can hold one.
  const candidates = [...inputs, ...fields.filter((field) => mayHoldUsername(field, refusedTypes))]
  const usual = candidates.find(({ name }) => usualNames.includes(name.toLowerCase()))
  if (usual) return { name: usual.name, isGuess: false }
  return { name: inputs[0]?.name ?? null, isGuess: inputs.length !== 1 }
}

function checkIdentifier(identifier: string, fields: readonly CredentialField[], note: ProviderDraft['note']): void {
  const names = fields.map(({ name }) => name)
  const field = fields.find(({ name }) => name === identifier)
  if (!field) {
    const meant = suggest(identifier, names)
    const hint = meant ? `did you mean ${meant}?` : `there are ${names.join(', ')}`
    note('identifier', 'INVALID_VALUE', `expected the name of a field, got another string; ${hint}`)
  } else if (refusedTypes.includes(field.type.trim().toLowerCase())) {
    note(
      'identifier',
      'INVALID_VALUE',
      `expected a field that holds a username, got one of type ${field.type}; name another field`
    )
  }
}

/**
 * Resolves the fields whose values the password rate limits count.
 *
 * If the form does not declare its fields, it is unknown which field `authorize` reads, so all usual names are counted.
 * `username` and `email` are counted even if the form does not declare them.
 */
function resolveIdentifierFields(
  { merged, note }: ProviderDraft,
  fields: readonly CredentialField[]
): IdentifierFields {
  const { identifier } = merged
  if (typeof identifier === 'string') {
    if (fields.length > 0) checkIdentifier(identifier, fields, note)
    return { identifierField: identifier, otherIdentifierFields: [], isIdentifierGuessed: false }
  }
  if (fields.length === 0)
    return { identifierField: null, otherIdentifierFields: [...usualNames, 'name'], isIdentifierGuessed: false }
  const { name, isGuess } = findIdentifier(fields)
  const undeclared = distinctNames.filter((known) => fields.every((field) => field.name !== known))
  return { identifierField: name, otherIdentifierFields: undeclared, isIdentifierGuessed: isGuess }
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
