import { DatabaseError } from './database-error.ts'

/** Stops waiting after this many milliseconds; the work continues. */
export async function withTimeout<T>(limit: number, work: () => PromiseLike<T>, database: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseError('Timeout', `${database}: expected a response within ${limit} ms`)),
      limit
    )
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
