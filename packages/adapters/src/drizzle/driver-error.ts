/** What drivers tell of an error, beside its message. */
export interface DriverError extends Error {
  readonly code?: unknown
  readonly errno?: unknown
}

/** The driver's own error, under what drizzle wraps it in. */
export function driverErrorOf(error: unknown): DriverError {
  if (!(error instanceof Error)) return new Error('something that is no error was thrown')
  return error.cause instanceof Error && !('code' in error) ? driverErrorOf(error.cause) : error
}

/** A message without the values in it: they are what stands in quotes. */
export function withoutValues(message: string): string {
  return message.replaceAll(/'.*'|".*"/gs, '…')
}

/**
 * What the database says to one who may not do this, or `null` where it was done.
 *
 * @param refusals - The driver's codes for that; any other error is thrown.
 */
export async function refusalOf(work: () => Promise<void>, refusals: readonly string[]): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { code, message } = driverErrorOf(error)
    if (refusals.includes(`${code}`)) return withoutValues(message)
    throw error
  }
}
