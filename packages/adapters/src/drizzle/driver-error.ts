/** The properties of a driver's error. */
export interface DriverError extends Error {
  readonly code?: unknown
  readonly errno?: unknown
}

/** Returns the driver's error, which drizzle wraps. */
export function getDriverError(error: unknown): DriverError {
  if (!(error instanceof Error)) return new Error('a value that is not an Error was thrown')
  return error.cause instanceof Error && !('code' in error) ? getDriverError(error.cause) : error
}

/** Removes values from a message: they are in quotes. */
export function withoutValues(message: string): string {
  return message.replaceAll(/'.*'|".*"/gs, '…')
}

/**
 * Runs work that may be refused, and returns the message of the refusal, or `null` if it succeeded.
 *
 * @param refusals - The driver's codes of a refusal; any other error is rethrown.
 */
export async function getRefusal(work: () => Promise<void>, refusals: readonly string[]): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const { code, message } = getDriverError(error)
    if (refusals.includes(`${code}`)) return withoutValues(message)
    throw error
  }
}
