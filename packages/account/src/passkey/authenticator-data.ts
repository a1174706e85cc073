/** What an authenticator has signed. @see Web Authentication Level 3 §6.1 */
export interface AuthenticatorData {
  /** The SHA-256 hash of the domain. */
  readonly rpIdHash: Buffer
  readonly isUserPresent: boolean
  readonly isUserVerified: boolean
  readonly isBackupEligible: boolean
  readonly isBackedUp: boolean
  /** How often the authenticator has signed; 0 if it does not count. */
  readonly counter: number
}

/** Bytes: the hash, the flags and the counter. A new key and extensions follow, if the flags say so. */
const minSize = 37

/** @returns `null` if the bytes are too few */
export function parseAuthenticatorData(bytes: Buffer): AuthenticatorData | null {
  if (bytes.length < minSize) return null
  const flags = bytes.readUInt8(32)
  return {
    rpIdHash: bytes.subarray(0, 32),
    isUserPresent: (flags & 0x01) !== 0,
    isUserVerified: (flags & 0x04) !== 0,
    isBackupEligible: (flags & 0x08) !== 0,
    isBackedUp: (flags & 0x10) !== 0,
    counter: bytes.readUInt32BE(33)
  }
}
