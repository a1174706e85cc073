import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An authenticator in software, which signs with ES256. What it reports can be changed. */
export interface Authenticator {
  /** The passkeys that it has, the newest last. */
  readonly passkeys: SoftwarePasskey[]
  /** Creates a passkey, as `navigator.credentials.create` does. @returns The field `credential` */
  create(options: CreationOptions, changes?: Changes): string
  /** Signs in with the newest passkey, or with another one. @returns The field `credential` */
  get(options: RequestOptions, changes?: Changes, passkey?: SoftwarePasskey): string
}

export interface SoftwarePasskey {
  readonly id: string
  readonly rpId: string
  readonly handle: string
  readonly key: KeyObject
  counter: number
}

/** The parts of the options that it reads. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
}

export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

/** What an attacker, or another authenticator, reports instead. */
export interface Changes {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  readonly challenge?: string
  /** `false` for a passkey that a browser creates without a question. */
  readonly isUserPresent?: boolean
  readonly isUserVerified?: boolean
  readonly isBackupEligible?: boolean
  /** @defaultValue whether it can be */
  readonly isBackedUp?: boolean
  readonly isCrossOrigin?: boolean
  readonly handle?: string | null
  readonly counter?: number
  readonly key?: KeyObject
  /** Members of the client data; `undefined` omits one. */
  readonly client?: Readonly<Record<string, unknown>>
}

export interface AuthenticatorOptions {
  /** The origin of the page. */
  readonly origin: string
  readonly isUserVerifying?: boolean
  readonly isBackupEligible?: boolean
  /** Whether it counts signatures; those of synchronized passkeys are not counted. */
  readonly isCounting?: boolean
  readonly aaguid?: string
  /** In base64url. @defaultValue a random one */
  readonly credentialId?: string
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** A CBOR head. @see RFC 8949 §3 */
function head(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  return value < 256 ? Buffer.from([type | 24, value]) : Buffer.from([type | 25, value >> 8, value & 255])
}

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, entry]) => [encode(key), encode(entry)])
  return Buffer.concat([head(5, value.size), ...entries])
}

/** A COSE key of P-256. @see RFC 9053 §7.1.1 */
export function toCose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const [cx, cy] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return encode(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, cx],
      [-3, cy]
    ])
  )
}

interface Flags {
  readonly isUserPresent: boolean
  readonly isUserVerified: boolean
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  readonly hasCredential: boolean
}

/** @see Web Authentication Level 3 §6.1 */
function authenticatorData(rpId: string, counter: number, flags: Flags, credential: Buffer = Buffer.alloc(0)): Buffer {
  const { isUserPresent, isUserVerified, isBackupEligible, isBackedUp, hasCredential } = flags
  const user = (isUserPresent ? 1 : 0) | (isUserVerified ? 4 : 0)
  const bits = user | (isBackupEligible ? 8 : 0) | (isBackedUp ? 16 : 0) | (hasCredential ? 64 : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([bits]), count, credential])
}

/** The settings of an authenticator, with defaults. */
type Model = Required<Omit<AuthenticatorOptions, 'credentialId'>> & Pick<AuthenticatorOptions, 'credentialId'>

function clientData(type: string, challenge: string, changes: Changes, { origin }: Model): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? origin,
      crossOrigin: changes.isCrossOrigin ?? false,
      ...changes.client
    })
  )
}

function getFlags(changes: Changes, hasCredential: boolean, model: Model): Flags {
  const { isBackupEligible = model.isBackupEligible } = changes
  return {
    isUserPresent: changes.isUserPresent ?? true,
    isUserVerified: changes.isUserVerified ?? model.isUserVerifying,
    isBackupEligible,
    isBackedUp: changes.isBackedUp ?? isBackupEligible,
    hasCredential
  }
}

function toJson(id: string, response: Readonly<Record<string, Buffer | string | readonly string[]>>): string {
  const fields = Object.entries(response).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('base64url') : value
  ])
  return JSON.stringify({ id, rawId: id, type: 'public-key', response: Object.fromEntries(fields) })
}

/** Creates a passkey. @returns It, and the field `credential`. */
function create(
  { challenge, rp, user }: CreationOptions,
  changes: Changes,
  model: Model
): { readonly passkey: SoftwarePasskey; readonly credential: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { credentialId, aaguid } = model
  const id = credentialId === undefined ? randomBytes(32) : Buffer.from(credentialId, 'base64url')
  const rpId = changes.rpId ?? rp.id
  const passkey = { id: id.toString('base64url'), rpId, handle: user.id, key: privateKey, counter: 0 }
  const modelId = Buffer.from(aaguid.replaceAll('-', ''), 'hex')
  const credential = Buffer.concat([modelId, Buffer.from([0, id.length]), id, toCose(publicKey)])
  const attestation = new Map<string, Cbor>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authenticatorData(rpId, 0, getFlags(changes, true, model), credential)]
  ])
  const response = {
    clientDataJSON: clientData('webauthn.create', challenge, changes, model),
    attestationObject: encode(attestation),
    transports: ['internal', 'hybrid']
  }
  return { passkey, credential: toJson(passkey.id, response) }
}

export function createAuthenticator({
  origin,
  isUserVerifying = true,
  isBackupEligible = true,
  isCounting = false,
  aaguid = '00000000-0000-0000-0000-000000000000',
  credentialId
}: AuthenticatorOptions): Authenticator {
  const model: Model = {
    origin,
    isUserVerifying,
    isBackupEligible,
    isCounting,
    aaguid,
    ...(credentialId === undefined ? {} : { credentialId })
  }
  const passkeys: SoftwarePasskey[] = []
  return {
    passkeys,
    create: (options, changes = {}) => {
      const { passkey, credential } = create(options, changes, model)
      passkeys.push(passkey)
      return credential
    },
    get: ({ challenge, rpId }, changes = {}, passkey = passkeys.at(-1)) => {
      if (!passkey) throw new Error('the authenticator has no passkey')
      passkey.counter += isCounting ? 1 : 0
      const client = clientData('webauthn.get', challenge, changes, model)
      const counter = changes.counter ?? passkey.counter
      const data = authenticatorData(changes.rpId ?? rpId, counter, getFlags(changes, false, model))
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), changes.key ?? passkey.key)
      const handle = changes.handle === undefined ? passkey.handle : changes.handle
      return toJson(passkey.id, {
        clientDataJSON: client,
        authenticatorData: data,
        signature,
        ...(handle === null ? {} : { userHandle: handle })
      })
    }
  }
}
