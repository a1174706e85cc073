import type { Services } from './config.ts'

/** Logs what the adapter finds in the database that does not fit. The database may be starting: a failure is not a problem. */
export async function warnOfAdapterProblems({ store, logger }: Services): Promise<void> {
  const problems = (await store?.findProblems?.().catch(() => null)) ?? []
  for (const { code, message } of problems) logger.warn(code, message)
}
