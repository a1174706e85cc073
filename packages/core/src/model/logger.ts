/** Receives log messages for operators. The codes are those of next-auth v4. */
export interface Logger {
  error(code: string, metadata: unknown): void
  warn(code: string, metadata?: unknown): void
  debug(code: string, metadata: unknown): void
}
