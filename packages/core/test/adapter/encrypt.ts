import { type StoreEncryption, withEncryption } from '../../src/adapter/encrypted-store.ts'
import type { Store } from '../../src/adapter/store.ts'
import { keyRing } from '../../src/tokens/keys.ts'
import { createStoredCipher } from '../../src/tokens/stored-cipher.ts'

/** Encrypts what is written to a store with the first of these secrets. */
export function encrypt(store: Store, secrets: readonly string[], options: Partial<StoreEncryption> = {}): Store {
  const cipher = createStoredCipher(keyRing(secrets, 'ticket'))
  return withEncryption(store, {
    ciphers: { account: cipher, factor: cipher, ticket: cipher },
    encryptTokens: true,
    hashedFactors: new Set(),
    createNonce: () => '',
    runLater: (work) => void work(),
    ...options
  })
}
