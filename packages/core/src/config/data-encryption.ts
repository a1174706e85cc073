import { countMissingKeys, type DataEncryption, type RowEncryption } from '../adapter/encrypted-rows.ts'
import { keyRing } from '../tokens/keys.ts'
import { createStoredCipher } from '../tokens/stored-cipher.ts'
import type { Services } from './config.ts'

/** @param dataSecrets - Empty if stored data has the keys of `secrets`, which are the same as if they were listed. */
export function createDataEncryption(secrets: readonly string[], dataSecrets: readonly string[]): DataEncryption {
  const isSeparate = dataSecrets.length > 0
  const given = isSeparate ? dataSecrets : secrets
  const ciphers = {
    account: createStoredCipher(keyRing(given, 'provider tokens')),
    factor: createStoredCipher(keyRing(given, 'factor')),
    ticket: createStoredCipher(keyRing(given, 'ticket'))
  }
  return { ciphers, isSeparate }
}

/** @returns The rows of the store; `null` if the adapter does not list them. */
export function getRowEncryption({ store, dataEncryption: { ciphers }, runtime }: Services): RowEncryption | null {
  const { encryptedRows: rows } = store ?? {}
  return rows ? { rows, ciphers, now: runtime.now } : null
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
