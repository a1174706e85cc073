import { createHash } from 'node:crypto'
import type { VerificationToken } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import type { VerificationTokenMethods } from '../methods.ts'
import type { Send } from './client.ts'
import { endOf } from './expiry.ts'

type Pair = Pick<VerificationToken, 'identifier' | 'token'>

/** The methods that concern one-time tokens: a key for each pair, which ends by itself. */
export function verificationTokenMethods(send: Send, prefix: string): VerificationTokenMethods {
  // A digest: addresses may be of any length and are nothing to show to whoever lists the keys.
  const keyOf = ({ identifier, token }: Pair): string =>
    `${prefix}token:${createHash('sha256')
      .update(JSON.stringify([identifier, token]))
      .digest('base64url')}`
  const read = async (command: 'GET' | 'GETDEL', { identifier, token }: Pair): Promise<VerificationToken | null> => {
    const expires = await send(command, keyOf({ identifier, token }))
    return typeof expires === 'string' ? { identifier, token, expires: new Date(Number(expires)) } : null
  }
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      const key = keyOf({ identifier, token })
      const isSet = await send('SET', key, expires.getTime(), 'PXAT', endOf(expires), 'NX')
      if (isSet !== 'OK') throw new DuplicateError('redis: expected a one-time token that is not there yet')
      return { identifier, token, expires }
    },
    getVerificationToken: (pair) => read('GET', pair),
    useVerificationToken: (pair) => read('GETDEL', pair)
  }
}
