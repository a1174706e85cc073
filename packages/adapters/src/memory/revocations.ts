import type { Revocation, RevocationStore } from '@postern/core'
import type { Store } from './store.ts'

/** The methods for revocations of JWT sessions. */
export function revocationMethods({ revocations }: Pick<Store, 'revocations'>): RevocationStore {
  return {
    revoke: async (subject, until) => {
      const before = revocations.get(subject)
      const version = Math.max(Date.now(), before ? before.version + 1 : 0)
      const last = new Date(Math.max(until.getTime(), before?.until.getTime() ?? 0))
      return revocations.replace({ subject, version, until: last }).version
    },
    getRevocations: async (subjects) =>
      [...new Set(subjects)].map((subject) => revocations.get(subject)).filter((found) => found !== null),
    listRevocations: async (since, limit) =>
      revocations
        .filter(({ version }) => version >= since.getTime())
        .sort(byVersion)
        .slice(0, limit)
  }
}

function byVersion(one: Revocation, other: Revocation): number {
  return one.version - other.version
}
