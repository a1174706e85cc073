import type { KeyRing } from '../tokens/keys.ts'
import { createStoredCipher, type StoredCipher } from '../tokens/stored-cipher.ts'
import type { Adapter, AdapterCall } from './adapter.ts'
import type { Factor } from './factor.ts'
import type { RewriteRow } from './rewrite-row.ts'
import { type FactorStore, type Store, StoreError } from './store.ts'

/** The type of the authenticators of Auth.js, which an adapter stores beside the factors, without encryption. */
const foreignType = 'authenticator'

/** The prefix of data that is not encrypted: no key has this id. */
const plainMark = '.'

/** How the data of factors is stored. */
export interface FactorOptions {
  /** Types whose data is one-way, such as a password hash: it is not encrypted. */
  readonly hashedTypes: ReadonlySet<string>
  /** Returns a random text: an adapter recognizes what a call has written by its data, so no two calls write the same. */
  readonly createNonce: () => string
  /** `null` if the adapter cannot replace data without changing the version. */
  readonly rewrite: RewriteRow | null
}

interface FactorEncryption extends FactorOptions {
  readonly cipher: StoredCipher
}

const allEncrypted: FactorOptions = { hashedTypes: new Set(), createNonce: () => '', rewrite: null }

/** Whether the data of a stored factor is encrypted. */
export const isEncryptedFactor = (type: string, data: string): boolean =>
  type !== foreignType && !data.startsWith(plainMark)

/**
 * Encrypts the data of factors before it reaches the adapter, unless it is one-way: `.<nonce>.<data>`. What an earlier
 * secret has encrypted is encrypted with the first one when it is read.
 *
 * A factor that cannot be decrypted is never reported as missing: a user whose second factor cannot be read must not
 * sign in without it.
 */
export function withEncryptedFactors(store: Store, keys: KeyRing, options: FactorOptions = allEncrypted): Store {
  const { factors, transact } = store
  if (!factors) return store
  const encryption = { ...options, cipher: createStoredCipher(keys) }
  const encrypt = (factor: Factor): Promise<Factor> => encryptFactor(encryption, factor)
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
      return factor && decryptFactor(encryption, factor, 'getFactor')
    },
    list: async (userId, type) => {
      const found = await factors.list(userId, type)
      const own = found.filter((factor) => factor.type !== foreignType)
      return Promise.all(own.map((factor) => decryptFactor(encryption, factor, 'listFactors')))
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

async function encryptFactor({ cipher, hashedTypes, createNonce }: FactorEncryption, factor: Factor): Promise<Factor> {
  const isHashed = hashedTypes.has(factor.type)
  const data = isHashed ? `${plainMark}${createNonce()}.${factor.data}` : await cipher.encrypt(factor.data)
  return { ...factor, data }
}

/** @throws StoreError if the key is not in the ring, or the data was not encrypted with it. */
async function decryptFactor(
  { cipher, rewrite }: FactorEncryption,
  factor: Factor,
  method: keyof Adapter
): Promise<Factor> {
  const { type, id, data: stored } = factor
  if (!isEncryptedFactor(type, stored)) return { ...factor, data: stored.slice(stored.indexOf('.', 1) + 1) }
  const key = await cipher.findKey(stored)
  if (key === 'missing')
    throw new StoreError(method, 'the key of a factor is missing: expected its secret in dataSecret')
  const data = await cipher.decrypt(stored)
  if (data === null) throw new StoreError(method, 'the data of a factor cannot be decrypted: it was modified')
  if (key === 'other')
    rewrite?.('factor', { group: type, id, texts: { data: stored } }, async () => ({
      data: await cipher.encrypt(data)
    }))
  return { ...factor, data }
}
