import { createHash, randomBytes } from 'node:crypto'
import type { VerificationToken } from '@postern/core'
import { DuplicateError } from '../duplicate-error.ts'
import type { VerificationTokenMethods } from '../methods.ts'
import type { Send } from './client.ts'
import { getEnd } from './expiry.ts'
import { setNew } from './set-new.ts'

type Pair = Pick<VerificationToken, 'identifier' | 'token'>

/** The methods for one-time tokens: one key per pair, which expires. */
export function verificationTokenMethods(send: Send, prefix: string): VerificationTokenMethods {
  // A digest: addresses may have any length, and must not be visible in a list of keys.
  const getKey = ({ identifier, token }: Pair): string =>
    `${prefix}token:${createHash('sha256')
      .update(JSON.stringify([identifier, token]))
      .digest('base64url')}`
  const read = async (command: 'GET' | 'GETDEL', { identifier, token }: Pair): Promise<VerificationToken | null> => {
    const stored = await send(command, getKey({ identifier, token }))
    return typeof stored === 'string' ? { identifier, token, expires: new Date(Number.parseInt(stored, 10)) } : null
  }
  return {
    createVerificationToken: async ({ identifier, token, expires }) => {
      const stored = `${expires.getTime()} ${randomBytes(9).toString('base64url')}`
      if (!(await setNew(send, getKey({ identifier, token }), stored, getEnd(expires))))
        throw new DuplicateError('redis: expected a one-time token that is not there yet')
      return { identifier, token, expires }
    },
    getVerificationToken: (pair) => read('GET', pair),
    useVerificationToken: (pair) => read('GETDEL', pair)
  }
}
