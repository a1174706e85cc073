/** Whether a value is still to come. Its class does not tell: applications may replace the global one. */
export function isPromise<T extends object>(value: T | Promise<T>): value is Promise<T> {
  return 'then' in value
}
