import type { Revocation, RevocationStore } from '@postern/core'
import type { NotedRevocation, Store } from './store.ts'

/** The methods for revocations of JWT sessions. */
export function revocationMethods({ revocations }: Pick<Store, 'revocations'>): Omit<RevocationStore, 'revoke'> {
  return {
    getRevocations: async (subjects) =>
      [...new Set(subjects)].flatMap((subject) => revocations.get(subject) ?? []).map(toRevocation),
    listRevocations: async (since, limit) =>
      revocations
        .filter(({ noted }) => noted >= since.getTime())
        .sort((one, other) => one.noted - other.noted || one.version - other.version)
        .slice(0, limit)
        .map(toRevocation)
  }
}

const toRevocation = ({ subject, version, until }: NotedRevocation): Revocation => ({ subject, version, until })
