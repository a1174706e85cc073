/**
 * Runs several statements on one connection: all of them take effect, or none.
 *
 * @param atEnd - Called when all statements have succeeded, right before the commit: a failure after it leaves open
 * whether they took effect.
 */
export type Transaction<Db> = <T>(work: (db: Db) => Promise<T>, atEnd?: () => void) => Promise<T>
