import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { secret } from './start.ts'

const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')
const key = Buffer.from(hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32))
const month = 30 * 24 * 60 * 60

/** The token of a JWT session, as next-auth v4 writes it: made by hand, so that no code of Postern is involved. */
export function encodeNextAuthToken(claims: object, issuedAt: number): string {
  const iat = Math.floor(issuedAt / 1000)
  const text = JSON.stringify({ ...claims, iat, exp: iat + month, jti: randomUUID() })
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [header, '', ...[iv, encrypted, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

/** The claims of a token, whatever its times. */
export function decodeToken(token: string): object {
  const [aad = '', , iv = '', text = '', tag = ''] = token.split('.')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(aad)).setAuthTag(Buffer.from(tag, 'base64url'))
  return JSON.parse(Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString())
}
