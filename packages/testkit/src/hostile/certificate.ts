import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate with its key, as PEM, for a test server. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority. */
export interface Authority extends Certificate {
  readonly name: string
  readonly signingKey: KeyObject
}

interface Contents {
  readonly name: string
  readonly issuer: { readonly name: string; readonly signingKey: KeyObject }
  readonly publicKey: KeyObject
  readonly expires: Date
  readonly extension: Buffer
}

function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const getName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, name))))
const time = (date: Date): Buffer =>
  der(
    0x17,
    `${date
      .toISOString()
      .replaceAll(/[-:T]|\.\d+/g, '')
      .slice(2)}`
  )
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value))

const mayBeAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))))

/** The name of a server: an IPv4 address or a host name (RFC 5280 §4.2.1.6). */
function serverName(host: string): Buffer {
  const address = /^\d+(\.\d+){3}$/.test(host) ? Buffer.from(host.split('.').map(Number)) : null
  return extension('551d11', sequence(address ? der(0x87, address) : der(0x82, host)))
}

let serial = 0

/** X.509 version 3 (RFC 5280 §4.1). */
function certificate({ name, issuer, publicKey, expires, extension }: Contents): string {
  serial += 1
  const contents = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial])),
    ecdsaWithSha256,
    getName(issuer.name),
    sequence(time(new Date(expires.getTime() - 2 * 365 * 86_400_000)), time(expires)),
    getName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension))
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', contents, issuer.signingKey))
  const base64 = sequence(contents, ecdsaWithSha256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
const toPem = (key: KeyObject): string => `${key.export({ type: 'pkcs8', format: 'pem' })}`

/** Creates a certificate authority, which no client trusts by default. */
export function createAuthority(name: string = 'Test authority'): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { name, signingKey: privateKey }
  const cert = certificate({ name, issuer, publicKey, expires: inDays(30), extension: mayBeAuthority })
  return { ...issuer, cert, key: toPem(privateKey) }
}

/**
 * Creates the certificate of a server.
 *
 * @param days - Days until it expires; a negative number for an expired certificate.
 */
export function createCertificate(authority: Authority, host: string, days: number = 1): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extension = serverName(host)
  const cert = certificate({ name: 'Test server', issuer: authority, publicKey, expires: inDays(days), extension })
  return { cert, key: toPem(privateKey) }
}
