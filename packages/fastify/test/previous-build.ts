import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { secret } from './start.ts'

/** What versions before application ids wrote: made here by hand, so that no code of this version is involved. */
export interface PreviousBuild {
  /** Encrypts the entries of a cookie. */
  readonly encrypt: (purpose: string, entries: readonly object[]) => string
  /** Decrypts the entries of a cookie. */
  readonly open: (purpose: string, value: string) => readonly object[]
  /** The stored form of a token. */
  readonly hash: (purpose: string, token: string) => string
  /** The token of a JWT session. */
  readonly jwt: (claims: object, issuedAt: number) => string
  /** The claims of a JWT session, whatever its times. */
  readonly claims: (token: string) => object
  /** A stored session token, and its forms in the store and in the cookie that proves it. */
  readonly stored: (now: number) => { readonly token: string; readonly hashed: string; readonly proof: string }
}

const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
const keyFor = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, 32))
const ofPurpose = (purpose: string): Buffer => keyFor(`Postern key for ${purpose}`)
const ofSessions = 'NextAuth.js Generated Encryption Key'

function encrypt(key: Buffer, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [header, '', ...[iv, encrypted, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

function decrypt(key: Buffer, value: string): string {
  const [aad = '', , iv = '', text = '', tag = ''] = value.split('.')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(aad)).setAuthTag(Buffer.from(tag, 'base64url'))
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString()
}

const hmac = (purpose: string, text: string): string =>
  createHmac('sha256', ofPurpose(purpose)).update(text).digest('base64url')

const month = 30 * 24 * 60 * 60

export const previousBuild: PreviousBuild = {
  encrypt: (purpose, entries) => encrypt(ofPurpose(purpose), JSON.stringify(entries)),
  open: (purpose, value) => JSON.parse(decrypt(ofPurpose(purpose), value)),
  hash: hmac,
  jwt: (claims, issuedAt) => {
    const iat = Math.floor(issuedAt / 1000)
    const times = { auth_time: iat, iat, exp: iat + month, jti: randomUUID() }
    return encrypt(keyFor(ofSessions), JSON.stringify({ ...claims, ...times }))
  },
  claims: (token) => JSON.parse(decrypt(keyFor(ofSessions), token)),
  stored: (now) => {
    const token = `${randomBytes(32).toString('base64url')}.${Math.floor(now / 1000).toString(36)}`
    return { token, hashed: `h1.${hmac('session token', token)}`, proof: hmac('session proof', token) }
  }
}

/** @returns The entries without the application's id. */
export function withoutApplication(entries: readonly object[]): readonly object[] {
  return entries.map((entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'app')))
}
