const hidden = '[hidden]'

/** Shorter texts stand in every message by chance. */
const shortest = 6

/** Every text in a value, at whatever depth: what must not be told. */
export function textsIn(value: unknown, depth: number = 4): readonly string[] {
  if (typeof value === 'string') return value.length < shortest ? [] : [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap((member) => textsIn(member, depth - 1))
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
}

function isTelling(error: Error, secrets: readonly string[], depth: number): boolean {
  const { message, stack = '', cause, ...own } = error
  const told = [message, stack, ...textsIn(own)]
  if (told.some((text) => secrets.some((secret) => text.includes(secret)))) return true
  return cause instanceof Error && depth > 0 && isTelling(cause, secrets, depth - 1)
}

/**
 * Takes secrets out of an error that is not ours: some put the values that they were called with into their message.
 *
 * @returns The error itself where it tells nothing, else one that says the same without these texts.
 */
export function redacted(error: unknown, secrets: readonly string[], depth: number = 5): unknown {
  if (!(error instanceof Error) || secrets.length === 0 || !isTelling(error, secrets, depth)) return error
  const { name, message, stack = '', cause } = error
  const details = cause instanceof Error && depth > 0 ? { cause: redacted(cause, secrets, depth - 1) } : undefined
  const copy = new Error(without(message, secrets), details)
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return Object.assign(copy, { name, stack: without(stack, secrets), ...code })
}
