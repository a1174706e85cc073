import { type ReencryptOptions, type ReencryptResult, reencryptRows } from '../adapter/encrypted-rows.ts'
import { assertShape } from '../config/assert-arguments.ts'
import type { Services } from '../config/config.ts'
import { getRowEncryption } from '../config/data-encryption.ts'
import { AccountError } from '../errors/account-error.ts'
import type { Shape } from '../schema/schema.ts'

export type { ReencryptOptions, ReencryptResult }

/** Maintains what Postern has stored. */
export interface DataControl {
  /**
   * Encrypts with the first of `dataSecret` what an earlier one has encrypted: factors, tickets, and the tokens of providers.
   * It reads every row and writes those of other keys, each in one step, while the application runs. A run that was
   * interrupted is continued by calling it again.
   *
   * @param options - `dryRun` counts only; `signal` interrupts.
   * @returns The rows that were written, and those that are left: once `left` is 0, the other secrets can be removed.
   * @throws AccountError `ADAPTER_INCOMPLETE` if the adapter cannot list its rows; AuthError `StoreUnavailable`; the reason of
   * the signal
   */
  reencrypt(options?: ReencryptOptions): Promise<ReencryptResult>
}

const reencryptShape: Shape = { dryRun: 'boolean', signal: 'any' }

/** Creates the {@link DataControl} of an instance. */
export function dataControl(services: Services): DataControl {
  return {
    reencrypt: async (options = {}) => {
      assertShape('reencrypt', options, reencryptShape)
      const encryption = getRowEncryption(services)
      if (!encryption)
        throw new AccountError(
          'ADAPTER_INCOMPLETE',
          'reencrypt: expected an adapter that lists what it stores (listEncryptedRows, replaceEncryptedTexts); without them, rows are encrypted again only when a user changes them'
        )
      return reencryptRows(encryption, options)
    }
  }
}
