/** A hash in the PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export interface PhcString {
  readonly id: string
  /** By name, such as `m` and `t`. */
  readonly parameters: Readonly<Record<string, number>>
  readonly salt: Buffer
  readonly hash: Buffer
}

/** The PHC format uses base64 without padding. */
const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** The only version of Argon2 in use (1.3). Other functions have none. */
const versions: Readonly<Record<string, string>> = { argon2id: 'v=19$' }

/** With 8 to 128 bytes of salt, and 12 to 128 of the hash. */
const pattern =
  /^\$([a-z\d-]{1,32})\$(v=\d+\$)?([a-z]+=\d{1,10}(?:,[a-z]+=\d{1,10})*)\$([A-Za-z\d+/]{11,171})\$([A-Za-z\d+/]{16,171})$/

export function formatPhcString({ id, parameters, salt, hash }: PhcString): string {
  const list = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  return `$${id}$${versions[id] ?? ''}${list.join(',')}$${toBase64(salt)}$${toBase64(hash)}`
}

/** @returns `null` if the text is not a PHC string with parameters, salt and hash, or has another version. */
export function parsePhcString(text: string): PhcString | null {
  const [, id, version = '', list, salt, hash] = pattern.exec(text) ?? []
  if (id === undefined || list === undefined || salt === undefined || hash === undefined) return null
  if (version !== (versions[id] ?? '')) return null
  const parameters = list.split(',').map((entry) => {
    const [name = '', value] = entry.split('=')
    return [name, Number(value)] as const
  })
  return {
    id,
    parameters: Object.fromEntries(parameters),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64')
  }
}
