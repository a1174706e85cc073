import { primitives } from '../tokens/crypto.ts'
import { jwe } from '../tokens/jwe.ts'
import type { KeyRing } from '../tokens/keys.ts'
import type { Adapter, AdapterCall } from './adapter.ts'
import type { Factor } from './factor.ts'
import { type FactorStore, type Store, StoreError } from './store.ts'

/** Characters of a key id: 48 bits, so that the keys of a ring differ. */
const keyIdLength = 8

/** The type of the authenticators of Auth.js, which an adapter stores beside the factors, without encryption. */
const foreignType = 'authenticator'

/** Identifies a key, and reveals nothing of it. */
async function getKeyId(key: Uint8Array): Promise<string> {
  return (await primitives.hmac(key, 'key id')).slice(0, keyIdLength)
}

/**
 * Encrypts the data of factors before it reaches the adapter: `<key id>.<compact JWE>`.
 *
 * A factor that cannot be decrypted is never reported as missing: a user whose second factor cannot be read must not
 * sign in without it.
 */
export function withEncryptedFactors(store: Store, keys: KeyRing): Store {
  const { factors, transact } = store
  if (!factors) return store
  const encrypt = (factor: Factor): Promise<Factor> => encryptFactor(keys, factor)
  const encryptCall = async (call: AdapterCall): Promise<AdapterCall> => {
    if (call.method === 'createFactor') return { ...call, args: [await encrypt(call.args[0])] }
    if (call.method !== 'updateFactor') return call
    const [factor, expectedVersion] = call.args
    return { ...call, args: [await encrypt(factor), expectedVersion] }
  }
  const encrypted: FactorStore = {
    ...factors,
    create: async (factor) => factors.create(await encrypt(factor)),
    get: async (key) => {
      const factor = await factors.get(key)
      return factor && decryptFactor(keys, factor, 'getFactor')
    },
    list: async (userId, type) => {
      const found = await factors.list(userId, type)
      const own = found.filter((factor) => factor.type !== foreignType)
      return Promise.all(own.map((factor) => decryptFactor(keys, factor, 'listFactors')))
    },
    update: async (factor, expectedVersion) => factors.update(await encrypt(factor), expectedVersion)
  }
  return {
    ...store,
    factors: encrypted,
    transact:
      transact && (async (calls) => transact(calls.some(hasData) ? await Promise.all(calls.map(encryptCall)) : calls))
  }
}

const hasData = ({ method }: AdapterCall): boolean => method === 'createFactor' || method === 'updateFactor'

async function encryptFactor(keys: KeyRing, factor: Factor): Promise<Factor> {
  const key = await keys.writing
  return { ...factor, data: `${await getKeyId(key)}.${await jwe.encrypt(key, factor.data)}` }
}

/** @throws StoreError if the key is not in the ring, or the data was not encrypted with it. */
async function decryptFactor(keys: KeyRing, factor: Factor, method: keyof Adapter): Promise<Factor> {
  const keyId = factor.data.slice(0, keyIdLength)
  for (const reading of keys.reading) {
    const key = await reading
    if ((await getKeyId(key)) !== keyId) continue
    const data = await jwe.decrypt(key, factor.data.slice(keyIdLength + 1))
    if (data === null) throw new StoreError(method, 'the data of a factor cannot be decrypted: it was modified')
    return { ...factor, data }
  }
  throw new StoreError(method, 'the key of a factor is missing: expected its secret among the configured ones')
}
