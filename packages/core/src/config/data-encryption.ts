import { withEncryptedFactors } from '../adapter/encrypted-factors.ts'
import { countMissingKeys, type DataEncryption, type RowEncryption } from '../adapter/encrypted-rows.ts'
import { withEncryptedTickets } from '../adapter/encrypted-tickets.ts'
import { withEncryptedTokens } from '../adapter/encrypted-tokens.ts'
import { createRewriteRow } from '../adapter/rewrite-row.ts'
import type { Store } from '../adapter/store.ts'
import type { BackgroundTasks } from '../features/background-tasks.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import type { Runtime } from '../model/runtime.ts'
import { keyRing } from '../tokens/keys.ts'
import { randomBase64Url } from '../tokens/random.ts'
import { createStoredCipher } from '../tokens/stored-cipher.ts'
import type { Services } from './config.ts'

/** @param dataSecrets - Empty if stored data has the keys of `secrets`, which are the same as if they were listed. */
export function createDataEncryption(secrets: readonly string[], dataSecrets: readonly string[]): DataEncryption {
  const isSeparate = dataSecrets.length > 0
  const given = isSeparate ? dataSecrets : secrets
  const keys = {
    account: keyRing(given, 'provider tokens'),
    factor: keyRing(given, 'factor'),
    ticket: keyRing(given, 'ticket')
  }
  return { keys, isSeparate }
}

interface EncryptedStoreDeps {
  readonly encryption: DataEncryption
  readonly encryptTokens: boolean
  readonly features: readonly RegisteredFeature[]
  readonly runtime: Pick<Runtime, 'randomBytes'>
  readonly tasks: BackgroundTasks
}

/** Encrypts what is written to a store, and decrypts what is read. */
export function withEncryption(
  store: Store,
  { encryption: { keys }, encryptTokens, features, runtime, tasks }: EncryptedStoreDeps
): Store {
  const rewrite = createRewriteRow(store, (work) => tasks.run('reencrypt', work))
  const withTokens = withEncryptedTokens(store, { keys: keys.account, isEnabled: encryptTokens })
  const withTickets = withEncryptedTickets(withTokens, keys.ticket, rewrite)
  return withEncryptedFactors(withTickets, keys.factor, {
    hashedTypes: new Set(features.flatMap(({ parts }) => parts.hashedFactors ?? [])),
    createNonce: () => randomBase64Url(runtime.randomBytes, 12),
    rewrite
  })
}

/** @returns The rows of the store; `null` if the adapter does not list them. */
export function getRowEncryption({ store, dataEncryption: { keys }, runtime }: Services): RowEncryption | null {
  const { encryptedRows: rows } = store ?? {}
  if (!rows) return null
  const ciphers = {
    account: createStoredCipher(keys.account),
    factor: createStoredCipher(keys.factor),
    ticket: createStoredCipher(keys.ticket)
  }
  return { rows, ciphers, now: runtime.now }
}

/** How many rows of each table are read at startup: in a larger store, `reencrypt({ dryRun: true })` reads all of them. */
const maxRowsAtStart = 1000

/**
 * Warns if rows need a key that is not listed: what they contain is lost to their users. The rows are read in the background,
 * and those of a store that fails are not.
 */
export async function warnOfMissingKeys(services: Services): Promise<void> {
  const encryption = getRowEncryption(services)
  const missing = encryption && (await countMissingKeys(encryption, maxRowsAtStart).catch(() => null))
  if (!missing) return
  const { factor, ticket, account } = missing
  const total = factor + ticket + account
  if (total === 0) return
  const { dataEncryption, logger } = services
  const list = dataEncryption.isSeparate ? 'at the end of dataSecret' : 'as dataSecret: [secret, former]'
  logger.warn(
    'DATA_KEY_MISSING',
    `at least ${total} rows of the store need a key that is not listed (${factor} factors, ${ticket} tickets, ${account} accounts), and cannot be read; list the secret that wrote them ${list}, and call app.postern.reencrypt()`
  )
}
