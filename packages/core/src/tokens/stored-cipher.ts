import { lazy } from '../model/lazy.ts'
import { primitives } from './crypto.ts'
import { jwe } from './jwe.ts'
import type { KeyRing } from './keys.ts'

/** Characters of a key id: 48 bits, so that the keys of a ring differ. */
const keyIdLength = 8

/** Which key encrypted a text: the first of the ring, another one, or one that is not in the ring. */
export type KeyPosition = 'first' | 'other' | 'missing'

/** Encrypts texts of the store as `<key id>.<compact JWE>`, so that no key has to be tried. */
export interface StoredCipher {
  /** Encrypts with the first key. */
  encrypt(text: string): Promise<string>
  /** @returns `null` if the key is missing, or the text was modified. */
  decrypt(encrypted: string): Promise<string | null>
  /** Compares the key id only. */
  findKey(encrypted: string): Promise<KeyPosition>
}

/** Identifies a key, and reveals nothing of it. */
const getKeyId = async (key: Uint8Array): Promise<string> =>
  (await primitives.hmac(key, 'key id')).slice(0, keyIdLength)

/** Creates the encryption with the keys of a ring, which are derived on first use. */
export function createStoredCipher(ring: KeyRing): StoredCipher {
  const load = lazy(async () => {
    const keys = await Promise.all(ring.reading)
    return new Map(await Promise.all(keys.map(async (key) => [await getKeyId(key), key] as const)))
  })
  const loadFirst = lazy(async () => getKeyId(await ring.writing))
  return {
    encrypt: async (text) => `${await loadFirst()}.${await jwe.encrypt(await ring.writing, text)}`,
    decrypt: async (encrypted) => {
      const key = (await load()).get(encrypted.slice(0, keyIdLength))
      return key ? jwe.decrypt(key, encrypted.slice(keyIdLength + 1)) : null
    },
    findKey: async (encrypted) => {
      const keyId = encrypted.slice(0, keyIdLength)
      if (keyId === (await loadFirst())) return 'first'
      return (await load()).has(keyId) ? 'other' : 'missing'
    }
  }
}
