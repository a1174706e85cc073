/** The fields of a `PublicKeyCredential` as JSON that both ceremonies have. */
export interface CredentialResponse {
  /** In base64url. */
  readonly id: string
  readonly response: Readonly<Record<string, unknown>>
  readonly client: ClientData
}

/** What the browser states about the ceremony; the authenticator signs it. @see Web Authentication Level 3 §5.8.1 */
interface ClientData {
  /** `null` if it is missing, or no text. */
  readonly type: string | null
  readonly challenge: string
  /** `null` if it is missing, or no text. */
  readonly origin: string | null
  /** Whether the page was in a frame of another site. */
  readonly isFramed: boolean
}

const maxLength = 20_000

/** Whether a text is an id of 1 to 1023 bytes in base64url. @see Web Authentication Level 3 §4, "Credential ID" */
const isCredentialId = (text: string): boolean => /^[\w-]{2,1364}$/.test(text)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** @returns The text of a form field as a credential; `null` if it is none. */
export function parseCredential(text: string | null): CredentialResponse | null {
  const credential = text === null || text.length > maxLength ? null : parseJson(text)
  if (!isObject(credential) || !isObject(credential['response'])) return null
  const { id, response } = { id: credential['id'], response: credential['response'] }
  if (typeof id !== 'string' || !isCredentialId(id)) return null
  const { clientDataJSON } = response
  const client =
    typeof clientDataJSON === 'string' ? parseJson(Buffer.from(clientDataJSON, 'base64url').toString()) : null
  if (!isObject(client)) return null
  const { type, challenge, origin, crossOrigin, topOrigin } = client
  if (typeof challenge !== 'string') return null
  const isFramed = crossOrigin === true || (topOrigin !== undefined && topOrigin !== null)
  return { id, response, client: { type: toText(type), challenge, origin: toText(origin), isFramed } }
}

/** @returns A text of the response, or `null`. */
export function getField({ response }: CredentialResponse, name: string): string | null {
  const value = response[name]
  return typeof value === 'string' && value !== '' ? value : null
}

const transports = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** @returns How the authenticator can be reached, as far as the values are known. */
export function getTransports({ response }: CredentialResponse): readonly string[] {
  const given = response['transports']
  return Array.isArray(given) ? [...new Set(given)].filter((value) => transports.has(value)) : []
}
