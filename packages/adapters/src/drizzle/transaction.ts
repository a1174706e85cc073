/**
 * Runs several statements on one connection in a transaction.
 *
 * @param atEnd - Called after all statements have succeeded, right before the commit: after a later failure, the
 * outcome is unknown.
 */
export type Transaction<Db> = <T>(work: (db: Db) => Promise<T>, atEnd?: () => void) => Promise<T>
