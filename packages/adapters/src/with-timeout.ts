import { DatabaseError } from './database-error.ts'

/** Gives up waiting, not the work, after so many milliseconds. */
export async function within<T>(limit: number, work: () => PromiseLike<T>, database: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseError('Timeout', `${database}: expected an answer within ${limit} ms`)),
      limit
    )
  })
  try {
    return await Promise.race([work(), end])
  } finally {
    clearTimeout(timer)
  }
}
